/** What many seeds amount to. */
import { addCounts } from "./tally.ts";

/** What one seed amounts to. */
export interface SeedCounts<Figure extends string> {
  readonly seed: number;
  /** The promise that was broken; undefined when all held. */
  readonly fault: string | undefined;
  readonly steps: number;
  /** The medians over the seeds. */
  readonly figures: Readonly<Record<Figure, number>>;
  readonly counts: ReadonlyMap<string, number>;
}

export interface Report<Figure extends string = string> {
  readonly seeds: number;
  readonly medians: Readonly<Record<Figure, number>>;
  readonly steps: number;
  readonly counts: Readonly<Record<string, number>>;
  /** The required figures that did not occur. */
  readonly missing: readonly string[];
  readonly faults: readonly { readonly seed: number; readonly fault: string }[];
  /**
   * True when every promise held, everything occurred, and the runs were long enough to mean
   * something. One seed alone cannot show everything.
   */
  readonly isSound: boolean;
}

/** The goals of a simulation. */
export interface Wanted<Figure extends string> {
  /** The figures that must have occurred. */
  readonly required: readonly string[];
  /** The rare ones among them, which only so many seeds must show. */
  readonly rare: ReadonlySet<string>;
  readonly rareAmong: number;
  /** The lower bounds of the medians. */
  readonly medians: Readonly<Record<Figure, number>>;
}

export interface Summary<Figure extends string> {
  add(result: SeedCounts<Figure>): void;
  read(): Report<Figure>;
}

export function createSummary<Figure extends string>(
  wanted: Wanted<Figure>,
  { isSingle }: { readonly isSingle: boolean },
): Summary<Figure> {
  const results: SeedCounts<Figure>["figures"][] = [];
  const counts = new Map<string, number>();
  const faults: { seed: number; fault: string }[] = [];
  const names = Object.keys(wanted.medians) as Figure[];
  let steps = 0;
  return {
    add: ({ seed, fault, figures, steps: taken, counts: counted }) => {
      results.push(figures);
      addCounts(counts, counted);
      steps += taken;
      if (fault !== undefined) faults.push({ seed, fault });
    },
    read: () => {
      const isAsked = (what: string): boolean =>
        results.length >= wanted.rareAmong || !wanted.rare.has(what);
      const lacking = wanted.required.filter((what) => isAsked(what) && !counts.has(what));
      const missing = isSingle ? [] : lacking;
      const medians = Object.fromEntries(
        names.map((name) => [name, median(results.map((figures) => figures[name]))]),
      ) as Record<Figure, number>;
      const isLong = names.every((name) => medians[name] >= wanted.medians[name]);
      return {
        seeds: results.length,
        medians,
        steps,
        counts: Object.fromEntries([...counts].sort(([a], [b]) => (a < b ? -1 : 1))),
        missing,
        faults,
        isSound: faults.length === 0 && missing.length === 0 && (isSingle || isLong),
      };
    },
  };
}

/** The lower one of two in the middle. */
export function median(numbers: readonly number[]): number {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}
