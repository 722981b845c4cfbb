/** Counts what came out: by the way in which cases were broken, and by entry. */
import type { CaseReport } from "./case-report.ts";

export type CountedCase = Pick<
  CaseReport,
  "entry" | "kind" | "outcomes" | "isAccepted" | "slowestMs" | "problems"
>;

/** One public entry in figures. */
export interface EntryFigures {
  cases: number;
  accepted: number;
  refused: number;
  failed: number;
  slowestMs: number;
}

export interface Tally {
  add(report: CountedCase): void;
  renderKinds(): string[];
  renderEntries(): string[];
  entries(): Record<string, EntryFigures>;
  counts(): Record<string, Record<string, number>>;
}

export function createTally(): Tally {
  const kinds = new Map<string, { cases: number; outcomes: Map<string, number> }>();
  const entries = new Map<string, EntryFigures>();
  return {
    add: (report) => {
      const row = kinds.get(report.kind) ?? { cases: 0, outcomes: new Map() };
      row.cases++;
      for (const outcome of report.outcomes)
        row.outcomes.set(outcome, (row.outcomes.get(outcome) ?? 0) + 1);
      kinds.set(report.kind, row);
      entries.set(report.entry, countCase(entries.get(report.entry), report));
    },
    renderKinds: () =>
      [...kinds]
        .sort(byName)
        .flatMap(([kind, { cases, outcomes }]) => [
          `${kind} (${cases})`,
          ...[...outcomes].sort(byName).map(([name, count]) => `  ${name.padEnd(40)} ${count}`),
        ]),
    renderEntries: () => [
      renderRow(["entry", "cases", "accepted", "refused", "failed", "slowest ms"]),
      ...[...entries].map(([name, { cases, accepted, refused, failed, slowestMs }]) =>
        renderRow([name, ...[cases, accepted, refused, failed].map(String), slowestMs.toFixed(0)]),
      ),
    ],
    entries: () => Object.fromEntries(entries),
    counts: () =>
      Object.fromEntries(
        [...kinds].map(([kind, { outcomes }]) => [kind, Object.fromEntries(outcomes)]),
      ),
  };
}

function countCase(before: EntryFigures | undefined, report: CountedCase): EntryFigures {
  const figures = { ...(before ?? { cases: 0, accepted: 0, refused: 0, failed: 0, slowestMs: 0 }) };
  figures.cases++;
  if (report.problems.length > 0) figures.failed++;
  else if (report.isAccepted) figures.accepted++;
  else figures.refused++;
  figures.slowestMs = Math.max(figures.slowestMs, report.slowestMs);
  return figures;
}

const COLUMN_WIDTH = 12;

function renderRow(cells: readonly string[]): string {
  return cells
    .map((cell, index) => (index === 0 ? cell.padEnd(COLUMN_WIDTH) : cell.padStart(COLUMN_WIDTH)))
    .join("");
}

function byName([one]: readonly [string, unknown], [other]: readonly [string, unknown]): number {
  return one < other ? -1 : 1;
}
