/** How figures are shown: a table for people and, when asked for, one last line for programs. */
import type { Say } from "../tools/command/progress.ts";

export interface Figure {
  readonly name: string;
  readonly columns: Readonly<Record<string, number>>;
  readonly goal?: Goal;
}

export type Goal = { readonly column: string } & (
  | { readonly atMost: number; readonly atLeast?: never }
  | { readonly atLeast: number; readonly atMost?: never }
);

/** Measures at the wanted sizes, where it has a choice. */
export type Benchmark<Sizes = object> = (sizes: Sizes, say: Say) => Promise<readonly Figure[]>;

export interface Report {
  readonly lines: readonly string[];
  readonly pass: boolean;
}

export function renderReport(
  figures: readonly Figure[],
  { hasJson }: { readonly hasJson: boolean },
): Report {
  const pass = figures.every(isReached);
  const width = Math.max(...figures.map(({ name }) => name.length));
  const lines = figures.map((figure) => `${figure.name.padEnd(width)}  ${renderColumns(figure)}`);
  const goals = Object.fromEntries(
    figures.flatMap(({ name, goal }) => (goal === undefined ? [] : [[name, boundOf(goal)]])),
  );
  const values = Object.fromEntries(
    figures.map(({ name, columns }) => [name, roundColumns(columns)]),
  );
  if (hasJson) lines.push(JSON.stringify({ figures: values, goals, pass }));
  return { lines, pass };
}

function renderColumns(figure: Figure): string {
  const columns = Object.entries(figure.columns).map(
    ([name, value]) => `${name} ${value.toFixed(2).padStart(7)}`,
  );
  const { goal } = figure;
  const verdict =
    goal === undefined ? "" : `goal ${boundOf(goal)}: ${isReached(figure) ? "reached" : "MISSED"}`;
  return [...columns, verdict].join("  ");
}

function roundColumns(columns: Figure["columns"]): Figure["columns"] {
  return Object.fromEntries(
    Object.entries(columns).map(([name, value]) => [name, Number(value.toFixed(3))]),
  );
}

function isReached({ columns, goal }: Figure): boolean {
  if (goal === undefined) return true;
  // A figure that could not be measured is not a number, and compares as missed.
  const value = columns[goal.column] ?? Number.NaN;
  return goal.atMost === undefined ? value >= goal.atLeast : value <= goal.atMost;
}

function boundOf({ atMost, atLeast }: Goal): number {
  return atMost ?? atLeast ?? Number.NaN;
}
