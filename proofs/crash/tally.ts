/** The counts over many runs, and their table. */
import { alignColumns } from "../../tools/command/align-columns.ts";
import type { DrivenRun } from "./drive-run.ts";
import type { Judgement } from "./judge-run.ts";

export interface Tally {
  readonly name: string;
  runs: number;
  kills: number;
  twice: number;
  lost: number;
  asked: number;
  repeated: number;
  invalid: number;
  underestimated: number;
  hanging: number;
  seconds: number;
}

/** What must be zero in every line. */
export const FORBIDDEN = [
  "twice",
  "lost",
  "repeated",
  "invalid",
  "underestimated",
  "hanging",
] as const;

export function createTally(name: string): Tally {
  return {
    name,
    runs: 0,
    kills: 0,
    twice: 0,
    lost: 0,
    asked: 0,
    repeated: 0,
    invalid: 0,
    underestimated: 0,
    hanging: 0,
    seconds: 0,
  };
}

/** Adds a run to the tally, and says loudly what is wrong with it. */
export function addRun(tally: Tally, driven: DrivenRun, judgement: Judgement, label: string): void {
  tally.runs += 1;
  tally.kills += driven.kills;
  tally.asked += driven.asked;
  tally.hanging += driven.isDone ? 0 : 1;
  for (const field of ["twice", "lost", "repeated", "invalid", "underestimated"] as const)
    tally[field] += judgement[field];
  const isWrong =
    !driven.isDone || FORBIDDEN.some((field) => field !== "hanging" && judgement[field] > 0);
  if (isWrong) console.error(label, JSON.stringify({ ...driven, ...judgement }));
}

const titles: readonly (readonly [keyof Tally, string])[] = [
  ["name", "declaration"],
  ["runs", "runs"],
  ["kills", "kills"],
  ["twice", "effects twice"],
  ["lost", "effects lost"],
  ["asked", "unknowns asked"],
  ["repeated", "settled model calls repeated"],
  ["underestimated", "invoices over spending"],
  ["invalid", "receipts invalid"],
  ["hanging", "runs hanging"],
  ["seconds", "seconds"],
];

export function renderTable(tallies: readonly Tally[]): string[] {
  return alignColumns([titles.map(([, title]) => title), ...tallies.map(renderRow)]);
}

function renderRow(tally: Tally): string[] {
  return titles.map(([field]) => {
    const value = tally[field];
    return typeof value === "number" && field === "seconds" ? value.toFixed(1) : String(value);
  });
}

/** One object of figures, and what they must be. */
export function summarize(tallies: readonly Tally[]): {
  readonly figures: Readonly<Record<string, unknown>>;
  readonly goals: Readonly<Record<string, number>>;
  readonly pass: boolean;
} {
  const figures = Object.fromEntries(tallies.map(({ name, ...figure }) => [name, figure]));
  const goals = Object.fromEntries(FORBIDDEN.map((field) => [field, 0]));
  const pass =
    tallies.length > 0 &&
    tallies.every((tally) => tally.runs > 0 && FORBIDDEN.every((field) => tally[field] === 0));
  return { figures, goals, pass };
}
