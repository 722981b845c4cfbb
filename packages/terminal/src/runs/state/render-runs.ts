import type { KnownRun } from "@turnseal/host";
import { type FoundObstacle, listUnanswered, type RunStanding } from "@turnseal/runtime/folder";
import { countOf } from "../../screen/count-of.ts";
import { formatMoment } from "../../screen/format-moment.ts";
import { cutLine, type Line, line, type Tone, toned } from "../../screen/line.ts";
import { renderChanges } from "../../screen/render-changes.ts";
import { shortId } from "../../screen/short-id.ts";

export interface RunRow extends KnownRun {
  readonly state: RunStanding;
  /** Why it cannot go on, as far as that is known. */
  readonly obstacle?: FoundObstacle;
  /** True for a run whose log is in an archive. */
  readonly isArchived?: boolean;
}

/**
 * Renders runs as a table: what is looked for first stands first. In a terminal a row that is too
 * long is cut, so that the next run begins on a row of its own.
 */
export function renderRunList(rows: readonly RunRow[], columns?: number): Line[] {
  const nowMs = Date.now();
  const cells = rows.map((row) => [
    describeRow(row),
    row.loop,
    formatMoment(row.startedAt, nowMs),
    countTurns(row),
  ]);
  const widths = [0, 1, 2].map((at) =>
    cells.reduce((widest, cell) => Math.max(widest, (cell[at] ?? "").length), 0),
  );
  return rows.flatMap(({ run, state, obstacle }, at) => {
    const [words = "", loop = "", started = "", turns = ""] = cells[at] ?? [];
    const row = line(
      toned("strong", shortId(run)),
      "  ",
      toned(toneOf(state), words.padEnd(widths[0] ?? 0)),
      `  ${loop.padEnd(widths[1] ?? 0)}`,
      toned("faint", `  ${started.padEnd(widths[2] ?? 0)}  ${turns}`),
    );
    const lines = [row, ...renderChanges(obstacle?.changes ?? [])];
    return columns === undefined ? lines : lines.map((each) => cutLine(each, columns));
  });
}

function describeRow({ state, obstacle, isArchived }: RunRow): string {
  if (isArchived === true) return `${renderStanding(state)} (archived)`;
  if (obstacle === undefined) return renderStanding(state);
  const { why, what, until } = obstacle;
  const words = `blocked: ${what === undefined ? "" : `${what} `}${why}`;
  return until === undefined ? words : `${words} until ${formatMoment(until, Date.now())}`;
}

/** The same for programs. */
export function toJsonRow(row: RunRow): object {
  const { run, loop, startedAt, projection, state, obstacle, isArchived } = row;
  return {
    run,
    loop,
    version: projection?.spec?.version ?? null,
    state: state.kind,
    reason: state.kind === "stopped" ? state.reason : null,
    pid: state.kind === "running" ? state.holder.pid : null,
    turns: projection?.turns ?? 0,
    waiting: state.kind === "waiting" ? listUnanswered(state).length : 0,
    answered: answeredOf(state).size,
    startedAt,
    lastAt: projection?.lastAt ?? startedAt,
    ...(isArchived === true ? { archived: true } : {}),
    ...(obstacle === undefined ? {} : { obstacle: obstacle.why }),
    ...(obstacle?.what === undefined ? {} : { missing: obstacle.what }),
    ...(obstacle?.until === undefined ? {} : { until: obstacle.until }),
    ...(obstacle?.changes === undefined ? {} : { changes: obstacle.changes }),
  };
}

/** Where a run stands, in a few words. */
export function renderStanding(state: RunStanding): string {
  switch (state.kind) {
    case "stopped":
      return `stopped: ${state.reason}`;
    case "running":
      return `running: process ${state.holder.pid}`;
    case "waiting":
      return describeWait(state);
    case "interrupted":
    case "moving":
      return state.kind;
  }
}

/** The waits, counted. */
function describeWait(state: Extract<RunStanding, { kind: "waiting" }>): string {
  const { signals, answered, provider } = state;
  if (provider !== undefined) return `waiting: provider, ${provider.failure}`;
  const open = listUnanswered(state);
  if (open.length === 0 && answered.size > 0) return "answered: to be resumed";
  const count = (kind: string): number =>
    open.filter((each) => ("kind" in each ? each.kind : "unknown action") === kind).length;
  const parts = [
    ...["approval", "question", "unknown action"].flatMap((kind) =>
      count(kind) === 0 ? [] : [countOf(count(kind), kind)],
    ),
    ...(signals.length === 0 ? [] : [`signal ${signals.join(" or ")}`]),
    ...(answered.size === 0 ? [] : [`${answered.size} answered`]),
  ];
  return `waiting: ${parts.join(", ") || "another run"}`;
}

/** Of what a run has asked, the hashes of what is answered and not read into its log yet. */
export function answeredOf(state: RunStanding): ReadonlySet<string> {
  return state.kind === "waiting" ? state.answered : new Set();
}

export function toneOf(state: RunStanding): Tone {
  if (state.kind === "stopped") return state.reason === "goal-reached" ? "good" : "bad";
  return state.kind === "running" || state.kind === "moving" ? "accent" : "warning";
}

function countTurns({ projection }: RunRow): string {
  return countOf(projection?.turns ?? 0, "turn");
}
