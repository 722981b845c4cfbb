/** What one run came to with faults, held against what it came to without. */
import type { Tally } from "../simulate/tally.ts";
import type { RunEnd } from "./describe-run.ts";

type Ends = readonly [without: RunEnd, withFaults: RunEnd];

/**
 * The part of a run's child runs that is left to chance: none of them, whether the runs of its
 * items start, or everything after a run that went another way.
 */
export type Chance = "none" | "items" | "follows";

export interface Compared {
  readonly difference: string | undefined;
  readonly chance: Chance;
}

/** Turns that are compared, of a run that from there on may go another way. */
interface Cut {
  readonly why: string;
  readonly turns: number;
  readonly chance: Chance;
}

export function compareEnds(ends: Ends, tally: Tally): Compared {
  const isRacing = ends.some(({ nodes }) => nodes === undefined);
  const cuts: Cut[] = [
    { why: "another first failure", turns: countUntilOther(ends), chance: "follows" },
    { why: "a turn that is not retried", turns: countUntilLeft(ends), chance: "items" },
    { why: "a node that is not tried again", turns: countUntilUntried(ends), chance: "follows" },
  ];
  if (isRacing)
    cuts.push({ why: "what one is denied", turns: countUntilDenied(ends), chance: "items" });
  const [first] = cuts
    .filter(({ turns }) => turns < Number.POSITIVE_INFINITY)
    .sort((a, b) => a.turns - b.turns);
  if (first === undefined) {
    if (!isRacing) tally.count("compared node by node");
    return { difference: findDifference(ends), chance: isRacing ? "items" : "none" };
  }
  tally.count(`compared up to ${first.why}`);
  const [without, withFaults] = ends;
  const shortened = [shorten(without, first.turns), shorten(withFaults, first.turns)] as const;
  return { difference: findDifference(shortened), chance: first.chance };
}

function shorten(end: RunEnd, turns: number): RunEnd {
  return { ...end, stopped: "later", nodes: undefined, turns: end.turns.slice(0, turns) };
}

/** Where one of them begins no other turn, its last is compared, too. */
function countUntilLeft(ends: Ends): number {
  return Math.min(
    ...ends.map(({ isLeft, turns }) => (isLeft ? turns.length : Number.POSITIVE_INFINITY)),
  );
}

/** The turns before one that is denied in only one execution. */
function countUntilDenied(ends: Ends): number {
  const [one, other] = ends.map(({ turns }) => turns.findIndex((turn) => /^denied /.test(turn)));
  if (one === undefined || other === undefined || one === other) return Number.POSITIVE_INFINITY;
  return Math.min(...[one, other].filter((index) => index >= 0));
}

/** The turns before one in which a fan-out that withdrew items lost by another code. */
function countUntilOther([one, other]: Ends): number {
  const differing = [...one.firstErrors].filter(
    ([way, code]) => (other.firstErrors.get(way) ?? code) !== code,
  );
  return Math.min(...differing.map(([way]) => Number.parseInt(way, 10) - 1));
}

/** The turns before one in which a node is tried again where the other has left an effect open. */
function countUntilUntried([one, other]: Ends): number {
  const untried = [...listUntried(one, other), ...listUntried(other, one)];
  return Math.min(...untried.map((path) => Number.parseInt(path, 10) - 1));
}

function listUntried(here: RunEnd, there: RunEnd): string[] {
  const isLacking = ([path, attempt]: RunEnd["tried"][number]): boolean =>
    !there.tried.some(([also, number]) => also === path && number === attempt) &&
    there.withdrawn.some((way) => `${way}/`.startsWith(`${path}/`));
  return here.tried.filter(isLacking).map(([path]) => path);
}

function findDifference([expected, actual]: Ends): string | undefined {
  const lists = [
    [[expected.stopped], [actual.stopped]],
    [expected.turns, actual.turns],
    expected.nodes === undefined || actual.nodes === undefined
      ? [[], []]
      : [expected.nodes, actual.nodes],
  ] as const;
  for (const [wanted, found] of lists) {
    const index = Array.from({ length: Math.max(wanted.length, found.length) }, (_, i) => i).find(
      (i) => wanted[i] !== found[i],
    );
    if (index !== undefined)
      return `${wanted[index] ?? "nothing"} became ${found[index] ?? "nothing"}`;
  }
  return undefined;
}
