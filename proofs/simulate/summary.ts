/** What many seeds amount to. */
import type { SeedResult } from "./run-seed.ts";
import { addCounts, RARE, RARE_AMONG, REQUIRED } from "./tally.ts";

export interface Report {
  readonly seeds: number;
  readonly medians: { readonly turns: number; readonly workers: number; readonly crashes: number };
  readonly steps: number;
  readonly counts: Readonly<Record<string, number>>;
  /** What should have occurred and did not. */
  readonly missing: readonly string[];
  readonly faults: readonly { readonly seed: number; readonly fault: string }[];
  /**
   * True when every promise held, everything occurred, and the runs were long enough to mean
   * something. One seed alone cannot show everything.
   */
  readonly isSound: boolean;
}

/** What half of the seeds must at least have gone through. */
export const MEDIANS_WANTED: Report["medians"] = { turns: 5, workers: 2, crashes: 1 };

export interface Summary {
  add(result: SeedResult): void;
  read(): Report;
}

export function createSummary({ isSingle }: { readonly isSingle: boolean }): Summary {
  const results: Pick<SeedResult, "turns" | "workers" | "crashes">[] = [];
  const counts = new Map<string, number>();
  const faults: { seed: number; fault: string }[] = [];
  let steps = 0;
  return {
    add: ({ seed, fault, turns, workers, crashes, steps: taken, counts: counted }) => {
      results.push({ turns, workers, crashes });
      addCounts(counts, counted);
      steps += taken;
      if (fault !== undefined) faults.push({ seed, fault });
    },
    read: () => {
      const wanted = REQUIRED.filter((what) => results.length >= RARE_AMONG || !RARE.has(what));
      const missing = isSingle ? [] : wanted.filter((what) => !counts.has(what));
      const medians = {
        turns: median(results.map(({ turns }) => turns)),
        workers: median(results.map(({ workers }) => workers)),
        crashes: median(results.map(({ crashes }) => crashes)),
      };
      return {
        seeds: results.length,
        medians,
        steps,
        counts: Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1))),
        missing,
        faults,
        isSound: faults.length === 0 && missing.length === 0 && (isSingle || isLong(medians)),
      };
    },
  };
}

function isLong({ turns, workers, crashes }: Report["medians"]): boolean {
  return (
    turns >= MEDIANS_WANTED.turns &&
    workers >= MEDIANS_WANTED.workers &&
    crashes >= MEDIANS_WANTED.crashes
  );
}

/** The lower one of two in the middle. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}
