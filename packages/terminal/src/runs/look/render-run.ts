import type { OpenTurn } from "@turnseal/folds";
import type { Exported } from "@turnseal/operate/proof";
import { type JsonValue, NO_SPENDING } from "@turnseal/protocol";
import type { RunStanding } from "@turnseal/runtime/folder";
import { type FlowSummary, findAwaitedProvider, type TurnReport } from "@turnseal/views";
import { renderProvider } from "../../inbox/render-provider.ts";
import { toJsonClaim } from "../../inbox/render-waiting.ts";
import { formatSpending } from "../../screen/format-amounts.ts";
import { type Line, line, toned } from "../../screen/line.ts";
import { renderDetail, renderField } from "../../screen/render-field.ts";
import { renderJson } from "../../screen/sanitize-text.ts";
import { shortId } from "../../screen/short-id.ts";
import { renderAsked, toJsonAsked } from "../resume/render-resume-check.ts";
import { describeFork } from "../state/describe-fork.ts";
import { renderObstacle } from "../state/describe-obstacle.ts";
import { describeTurns } from "../state/describe-turns.ts";
import { describeUnknownEnd } from "../state/describe-unknown-end.ts";
import { markUnsealed, renderExport, toJsonExport, UNSEALED } from "../state/render-export.ts";
import { describeFlow } from "../state/render-flow.ts";
import { describeHolder } from "../state/render-holder.ts";
import {
  answeredOf,
  type RunRow,
  renderStanding,
  toJsonRow,
  toneOf,
} from "../state/render-runs.ts";
import { renderCause } from "../state/render-turn-report.ts";

export interface ShownTurn extends TurnReport {
  /** In an export: whether a receipt vouches for what was decided after the turn. */
  readonly decisionSealed?: boolean;
  /** The results of the nodes of its flows, if there are any. */
  readonly flow?: FlowSummary | undefined;
}

export interface ShownRun extends RunRow {
  /** The latest turns. */
  readonly turns: readonly ShownTurn[];
  /** The results of nodes in the open turn. */
  readonly openFlow?: FlowSummary | undefined;
  /** In an export: the signals that no receipt vouches for. */
  readonly unsealedSignals?: ReadonlySet<string>;
  /** Input and output, if they were requested and are not erased. */
  readonly content?: Readonly<Record<string, JsonValue>>;
  /** Set for a run in an export. */
  readonly exported?: Exported;
}

/** Renders where a run stands. */
export function renderRun(shown: ShownRun): Line[] {
  const { run, loop, startedAt, projection, state, turns, content = {}, obstacle } = shown;
  const { exported } = shown;
  const { spec, spending = NO_SPENDING, openTurn, signals = {} } = projection ?? {};
  const version = spec?.version === undefined ? "" : ` ${spec.version}`;
  const { unsealedSignals } = shown;
  const names = Object.keys(signals).map((name) =>
    unsealedSignals?.has(name) ? `${name}${UNSEALED}` : name,
  );
  const standing =
    exported === undefined || state.kind !== "interrupted"
      ? renderStanding(state)
      : "had not stopped";
  const provider = projection === undefined ? undefined : findAwaitedProvider(projection);
  const over = state.kind === "stopped" ? run : undefined;
  // The spending and findings of an open turn come after the last receipt.
  const inTurn = openTurn == null ? "" : markUnsealed(exported);
  return [
    ...(exported === undefined ? [] : renderExport(exported)),
    line(toned("strong", run), "  ", toned(toneOf(state), standing), markUnsealed(exported)),
    ...renderField("loop", `${loop}${version}`),
    ...renderField("started", startedAt),
    ...renderField("forked", describeFork(spec)),
    ...renderField("carried", describeCarrier(state)),
    ...renderField(
      "bounds",
      spec == null ? undefined : describeTurns({ ...spec, budget: spec.grant.budget }),
    ),
    ...(obstacle === undefined ? [] : renderObstacle(obstacle, shortId(run))),
    ...renderField("spent", `${formatSpending(spending, spec?.grant.budget ?? {})}${inTurn}`),
    ...renderField("signals", names.length === 0 ? undefined : names.join(", ")),
    ...turns.flatMap(renderTurn),
    ...(provider === undefined ? [] : renderProvider(run, provider)),
    ...(projection?.unknownEnds ?? []).map((end) => line(...describeUnknownEnd(end, over))),
    ...(openTurn == null ? [] : renderOpenTurn(shown, openTurn, inTurn)),
    ...Object.entries(content).flatMap(([name, value]) => [
      line(toned("faint", name)),
      ...renderJson(value, 2)
        .split("\n")
        .map((text) => line(`  ${text}`)),
    ]),
  ];
}

/** The same for programs. */
export function toJsonRun(shown: ShownRun): object {
  const { projection, turns, content, state, exported, openFlow } = shown;
  const answered = answeredOf(state);
  const provider = projection === undefined ? undefined : findAwaitedProvider(projection);
  return {
    ...toJsonExport(exported),
    ...toJsonRow(shown),
    forkedFrom: projection?.spec?.forkedFrom ?? null,
    grant: projection?.spec?.grant ?? null,
    bounds: projection?.spec?.bounds ?? null,
    spending: projection?.spending ?? NO_SPENDING,
    signals: Object.keys(projection?.signals ?? {}),
    unknown: projection?.unknownEnds ?? [],
    open: (projection?.openTurn?.open ?? []).map(toJsonClaim),
    asked: (projection?.openTurn?.asked ?? []).map((request) => toJsonAsked(request, answered)),
    latestTurns: turns,
    ...(openFlow === undefined ? {} : { openFlow }),
    ...(provider === undefined ? {} : { provider }),
    ...(content === undefined ? {} : { content }),
  };
}

function describeCarrier(state: RunStanding): string | undefined {
  return state.kind === "running" ? describeHolder(state.holder) : undefined;
}

function renderTurn(report: ShownTurn): Line[] {
  const { turn, outcome, reason, receipt, decisionReason, decisionSealed = true } = report;
  const then = `${decisionReason}${decisionSealed ? "" : UNSEALED}`;
  const why = reason === null ? "" : ` (${reason})`;
  return [
    ...renderField(`turn ${turn}`, `${outcome}${why}, then ${then}`),
    ...renderCause(report),
    ...renderNodes(report.flow),
    ...renderDetail("receipt", receipt ?? "none"),
  ];
}

function renderOpenTurn(
  { run, state, openFlow }: ShownRun,
  { turn, open, asked }: OpenTurn,
  mark: string,
): Line[] {
  return [
    ...renderField(`turn ${turn}`, `open${mark}`),
    ...renderNodes(openFlow),
    ...open.flatMap(({ name, effect, deadlineAt, isUnknown }) =>
      renderDetail(isUnknown ? "unknown" : "acting", `${name} (${effect}), deadline ${deadlineAt}`),
    ),
    ...renderAsked(asked, { run, answered: answeredOf(state) }),
  ];
}

function renderNodes(flow: FlowSummary | undefined): Line[] {
  return flow === undefined ? [] : describeFlow(flow).flatMap((text) => renderDetail("flow", text));
}
