/** The four answers about a run, for people and for programs. */

import type { FlowPart, ResumeCheck, RootDrift, Waiting } from "@turnseal/host";
import type { Exported } from "@turnseal/operate/proof";
import type { Grant } from "@turnseal/protocol";
import {
  type AwaitedProvider,
  adviseAfter,
  type Count,
  describeCause,
  describeTurnFailure,
  explainReason,
  findAwaitedProvider,
  type RunSummary,
  type Spoken,
} from "@turnseal/views";
import { describeRepeats, describeWhen, retryCommand } from "../../inbox/render-provider.ts";
import { signalCommand } from "../../inbox/signal-command.ts";
import { countOf } from "../../screen/count-of.ts";
import { formatAmounts, formatSpending } from "../../screen/format-amounts.ts";
import { type Line, line, renderNext, toned } from "../../screen/line.ts";
import { shortId } from "../../screen/short-id.ts";
import {
  ASKED_SHOWN_MAX,
  renderFiles,
  renderResumeCheck,
  toJsonRoot,
  toResumeLine,
} from "../resume/render-resume-check.ts";
import { describeAwaited, describeLifts } from "../state/describe-awaited.ts";
import { describeFork } from "../state/describe-fork.ts";
import { describeObstacle, type ObstacleWords } from "../state/describe-obstacle.ts";
import {
  describeRollbacks,
  describeTriggered,
  type RolledBack,
  type TakesBack,
  type Triggered,
  toJsonTriggered,
} from "../state/describe-rollbacks.ts";
import { describeTurns } from "../state/describe-turns.ts";
import { describeUnknownEnd } from "../state/describe-unknown-end.ts";
import { renderAllowance } from "../state/render-allowance.ts";
import { markUnsealed, renderExport, toJsonExport } from "../state/render-export.ts";
import { describeFlow } from "../state/render-flow.ts";
import { describeHolder } from "../state/render-holder.ts";
import { describeFailedParts } from "../state/render-parts.ts";
import { answeredOf, type RunRow, toJsonRow } from "../state/render-runs.ts";

export interface Explanation extends RunRow {
  readonly summary: RunSummary;
  /** The results of the parts of its flow. */
  readonly parts?: readonly FlowPart[];
  /** Null for a run that has stopped, or has not begun. */
  readonly check: ResumeCheck | { readonly problem: string } | null;
  /** Payloads that fit the signals that it waits for. */
  readonly samples?: Waiting["samples"];
  /** The obstacle to resuming it, if there is one. */
  readonly kept?: ObstacleWords | undefined;
  /** The drift of the files of a stopped run. */
  readonly world?: readonly RootDrift[];
  /** Set for a run in an export. */
  readonly exported?: Exported;
  /** Where it is a rollback: what it takes back. And the rollbacks of this run. */
  readonly takesBack?: TakesBack;
  readonly rollbacks?: readonly RolledBack[];
  /** The rollback that it asks for by itself, where it does. */
  readonly triggered?: Triggered;
}

/** Renders the four answers. */
export function renderExplanation(explanation: Explanation): Line[] {
  const { exported } = explanation;
  return [
    ...(exported === undefined ? [] : renderExport(exported)),
    line(toned("strong", "What ran?")),
    ...explainWhat(explanation),
    line(toned("strong", "Why did it stop?")),
    ...explainWhy(explanation),
    ...describeLifts(explanation.projection).map(tell),
    line(toned("strong", "Who allowed it?")),
    ...explainWho(explanation),
    line(toned("strong", "Is it safe to resume?")),
    ...explainSafety(explanation),
  ];
}

/** The same for programs. */
export function toJsonExplanation(explanation: Explanation): object {
  const { summary, check, projection, state, exported } = explanation;
  return {
    ...toJsonExport(exported),
    ...toJsonRow(explanation),
    forkedFrom: projection?.spec?.forkedFrom ?? null,
    ran: {
      loops: summary.loops,
      models: summary.models,
      tools: summary.tools,
      handoffs: summary.handoffs,
      ...(summary.flow === undefined ? {} : { flow: summary.flow }),
    },
    unknown: projection?.unknownEnds ?? [],
    ...(projection?.lifts === undefined ? {} : { quarantineLifts: projection.lifts }),
    ...(explanation.takesBack === undefined ? {} : { takesBack: explanation.takesBack }),
    rollbacks: (explanation.rollbacks ?? []).map(({ run, head, projection: state, progress }) => ({
      ...{ run, toTurn: head?.toTurn ?? null, stopped: state?.stopped ?? null },
      ...{ takenBack: progress?.takenBack ?? null, of: progress?.of ?? null },
    })),
    ...toJsonTriggered(explanation.triggered),
    grant: projection?.spec?.grant ?? null,
    policy: projection?.spec?.policy ?? null,
    ...(summary.cause === undefined ? {} : { cause: summary.cause }),
    ...((explanation.parts ?? []).length === 0 ? {} : { parts: explanation.parts }),
    allowed: summary.allowed,
    refused: summary.refused,
    spoken: summary.spoken,
    resume:
      check === null || "problem" in check || projection === undefined
        ? check
        : toResumeLine(check, {
            ...{ ...projection, answered: answeredOf(state), kept: explanation.kept },
          }),
    ...(explanation.world === undefined ? {} : { world: explanation.world.map(toJsonRoot) }),
  };
}

function explainWhat(explanation: Explanation): Line[] {
  const { run, projection, summary, exported, takesBack, rollbacks } = explanation;
  const inTurn = projection?.openTurn == null ? "" : markUnsealed(exported);
  const turns = projection?.turns ?? 0;
  const over = projection?.stopped == null ? undefined : run;
  const spec = projection?.spec;
  const name = spec == null ? "nothing" : `${spec.loop} ${spec.version}`;
  const fork = describeFork(spec);
  const pinned = Object.values(spec?.pinned ?? {});
  const root = pinned.find(({ id, version }) => id === spec?.loop && version === spec?.version);
  return [
    tell(`run ${run}: ${name}, ${countOf(turns, "closed turn")}`),
    ...(root === undefined ? [] : [tell(`pinned to ${root.digest}`)]),
    ...(fork === undefined ? [] : [tell(`forked ${fork}`)]),
    ...(spec == null || over !== undefined
      ? []
      : [tell(describeTurns({ ...spec, budget: spec.grant.budget }))]),
    ...describeRollbacks(takesBack, rollbacks).map(tell),
    ...tellCounts("loops", summary.loops),
    ...tellCounts("models", summary.models),
    ...tellCounts("tools", summary.tools),
    ...tellCounts("handed to", summary.handoffs),
    ...(summary.flow === undefined ? [] : describeFlow(summary.flow).map(tell)),
    ...describeFailedParts(explanation.parts ?? []).map(tell),
    ...(projection?.unknownEnds ?? []).map((end) => line("  ", ...describeUnknownEnd(end, over))),
    ...(projection === undefined
      ? []
      : [tell(`spent: ${formatSpending(projection.spending, spec?.grant.budget ?? {})}${inTurn}`)]),
  ];
}

function explainWhy(explanation: Explanation): Line[] {
  const { run, state, obstacle, summary, projection, exported } = explanation;
  if (exported !== undefined && state.kind !== "stopped" && state.kind !== "waiting")
    return [tell(`it had not stopped when its last event was written${markUnsealed(exported)}`)];
  if (obstacle !== undefined) {
    const { words, next } = describeObstacle(obstacle, shortId(run));
    return [tell(`it has not stopped, but cannot continue: ${words}`), tell(`next: ${next}`)];
  }
  const awaited = projection === undefined ? undefined : findAwaitedProvider(projection);
  switch (state.kind) {
    case "stopped":
      return [
        tell(`${state.reason}: ${explainReason(state.reason)}${markUnsealed(exported)}`),
        ...tellAdvice(adviseAfter(state.reason)),
        ...tellCause(
          describeCause(summary.cause) ?? describeTurnFailure(projection?.lastTurn?.reason ?? null),
        ),
        ...describeTriggered(explanation.triggered, run, explanation.rollbacks).map(tell),
      ];
    case "running":
      return [tell(`it has not stopped: held by ${describeHolder(state.holder)}`)];
    case "waiting":
      return state.provider === undefined
        ? tellAwaited(describeAwaited(state), run, markUnsealed(exported))
        : explainProvider(run, state.provider);
    case "moving":
      return awaited === undefined
        ? [tell("it has not stopped: an engine is executing it")]
        : explainProvider(run, awaited);
    case "interrupted":
      return [
        tell("it has not stopped: no process is executing it"),
        ...(awaited === undefined ? [] : explainProvider(run, awaited)),
      ];
  }
}

function tellAwaited(awaited: readonly string[], run: string, mark: string): Line[] {
  const rest = awaited.length - ASKED_SHOWN_MAX;
  return [
    ...awaited.slice(0, ASKED_SHOWN_MAX).map((what) => tell(`it has not stopped: ${what}${mark}`)),
    ...(rest > 0 ? [tell(`and ${rest} more: turnseal inbox ${shortId(run)}`)] : []),
  ];
}

function tellAdvice(advice: string | undefined): Line[] {
  return advice === undefined ? [] : [tell(`next: ${advice}`)];
}

function explainProvider(run: string, provider: AwaitedProvider): Line[] {
  const repeats = describeRepeats(provider);
  return [
    tell(`it has not stopped: it waits for ${provider.model} since ${provider.since}`),
    tell(provider.words),
    tell(`next: ${provider.next}`),
    tell(`asked ${describeWhen(provider)}; ${retryCommand(run, provider)} asks again now`),
    ...(repeats === undefined ? [] : [tell(`this repeats ${repeats}`)]),
  ];
}

function tellCause(cause: ReturnType<typeof describeCause>): Line[] {
  return cause === undefined ? [] : [tell(cause.words), tell(`next: ${cause.next}`)];
}

function explainWho({ projection, summary, exported }: Explanation): Line[] {
  if (exported?.verdict.verdict === "invalid")
    return [tell("not proven: the export does not verify")];
  const grant = projection?.spec?.grant;
  if (grant === undefined) return [tell("nothing is granted yet: the run has not begun")];
  return [
    tell(describeGrant(grant)),
    ...summary.allowed.map(renderAllowance),
    ...summary.refused.map(({ event, what }) =>
      line("  ", toned("bad", "refused"), `: ${what} (event ${event})`),
    ),
    ...summary.spoken.map(tellSpoken),
  ];
}

function describeGrant({ grantor, tools, budget, expiresAt }: Grant): string {
  const named = tools.length === 0 ? "no tool" : tools.join(", ");
  const end = expiresAt === undefined ? "no expiry" : `until ${expiresAt}`;
  return `${grantor} granted ${named}, ${end}; budget: ${formatAmounts(budget)}`;
}

function tellSpoken({ by, at, sequence, what }: Spoken): Line {
  return tell(`${by} ${what} (event ${sequence}, ${at})`);
}

function explainSafety(explanation: Explanation): Line[] {
  const { run, projection, state, check, exported, kept, world = [] } = explanation;
  if (state.kind === "stopped")
    return [tell("there is nothing to resume"), ...renderFiles(world, run)];
  if (exported !== undefined)
    return [tell("not from an export: only the store that the run is in can say")];
  const next = renderNext(kept?.next ?? nextCommand(explanation));
  if (kept !== undefined && (check === null || "problem" in check))
    return [tell(`no: ${kept.words}`), next];
  if (check === null) return [tell("yes: it has not begun"), next];
  if ("problem" in check) return [tell(`unknown: ${check.problem}`), next];
  const spec = projection?.spec ?? null;
  const lines =
    projection === undefined || spec === null
      ? []
      : renderResumeCheck(check, {
          ...{ ...projection, spec, answered: answeredOf(state), kept },
        }).slice(1);
  return state.kind === "running" || state.kind === "moving" ? lines : [...lines, next];
}

function nextCommand({ run, state, samples = {} }: Explanation): string {
  const isAnswered = answeredOf(state).size > 0;
  if (state.kind !== "waiting" || isAnswered || state.provider !== undefined)
    return `turnseal resume ${shortId(run)}`;
  const [signal] = state.signals;
  return signal === undefined
    ? `turnseal inbox ${shortId(run)}`
    : signalCommand(run, signal, samples[signal]);
}

function tellCounts(name: string, counts: readonly Count[]): Line[] {
  if (counts.length === 0) return [];
  const listed = counts.map(({ name: of, count }) => `${of} ×${count}`).join(", ");
  return [tell(`${name}: ${listed}`)];
}

function tell(text: string): Line {
  return line(`  ${text}`);
}
