import type { KnownRun } from "../local/list-runs.ts";
import type { RunState } from "../local/run-state.ts";
import { countOf } from "./count-of.ts";
import { type Line, line, type Tone, toned } from "./line.ts";
import { shortId } from "./short-id.ts";

export interface RunRow extends KnownRun {
  readonly state: RunState;
}

/** Renders runs as a table. */
export function renderRunList(rows: readonly RunRow[]): Line[] {
  const cells = rows.map((row) => ({ ...row, words: describeRunState(row.state) }));
  const width = cells.reduce((widest, { words }) => Math.max(widest, words.length), 0);
  const turnsWidth = rows.reduce((widest, row) => Math.max(widest, countTurns(row).length), 0);
  return cells.map(({ words, ...row }) =>
    line(
      toned("strong", shortId(row.run)),
      "  ",
      toned(toneOf(row.state), words.padEnd(width)),
      `  ${countTurns(row).padEnd(turnsWidth)}  ${row.loop}`,
      toned("faint", `  ${row.startedAt}`),
    ),
  );
}

/** The same for programs. */
export function toJsonRow({ run, loop, startedAt, projection, state }: RunRow): object {
  return {
    run,
    loop,
    version: projection?.spec?.version ?? null,
    state: state.kind,
    reason: state.kind === "stopped" ? state.reason : null,
    pid: state.kind === "running" ? state.holder.pid : null,
    turns: projection?.turns ?? 0,
    waiting: state.kind === "waiting" ? state.asked.length + state.unknown.length : 0,
    startedAt,
    lastAt: projection?.lastAt ?? startedAt,
  };
}

/** Where a run stands, in a few words. */
export function describeRunState(state: RunState): string {
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

/** What is waited for, counted. */
export function describeWait({
  asked,
  unknown,
  signals,
}: Omit<Extract<RunState, { kind: "waiting" }>, "kind">): string {
  const approvals = asked.filter(({ kind }) => kind === "approval").length;
  const parts = [
    ...(approvals === 0 ? [] : [countOf(approvals, "approval")]),
    ...(asked.length === approvals ? [] : [countOf(asked.length - approvals, "question")]),
    ...(unknown.length === 0 ? [] : [countOf(unknown.length, "unknown action")]),
    ...(signals.length === 0 ? [] : [`signal ${signals.join(" or ")}`]),
  ];
  return `waiting: ${parts.join(", ") || "another run"}`;
}

export function toneOf(state: RunState): Tone {
  if (state.kind === "stopped") return state.reason === "goal-reached" ? "good" : "bad";
  return state.kind === "running" || state.kind === "moving" ? "accent" : "warning";
}

function countTurns({ projection }: RunRow): string {
  return countOf(projection?.turns ?? 0, "turn");
}
