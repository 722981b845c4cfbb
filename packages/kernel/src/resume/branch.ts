/**
 * Things that stand beside each other in a turn, such as the tools that a model asks for at once.
 *
 * 1. They act in their order: while one waits for a person, those behind it may ask too, and do
 *    nothing else. Neighbours that are declared independent are one group, which acts at the same
 *    time.
 * 2. A resume runs them again against the record, where one may be ready for something new before
 *    another has repeated its record. It is held back until nothing else can move, so that new
 *    events always follow all recorded ones.
 */
import type { Outcome } from "../outcome.ts";

export interface Branch {
  /** Waits until nothing else can move. */
  hold(): Promise<void>;
  /** True while something before it has not ended well: then it may ask, but not act. */
  isBehind(): boolean;
  /** True when something before it failed: then nothing new follows from it. */
  isOver(): boolean;
  /** Aborted when it, or the part around it, is stopped; undefined where that cannot happen. */
  readonly stop: AbortSignal | undefined;
  /**
   * True when it was stopped: then it records nothing new, except for the ends of its open actions.
   */
  isStopped(): boolean;
}

/** The branch of a root call: there is nothing beside it. */
export const trunk: Branch = {
  hold: async () => {},
  isBehind: () => false,
  isOver: () => false,
  stop: undefined,
  isStopped: () => false,
};

/** One of several. */
export interface Beside<Value> {
  readonly run: (branch: Branch) => Promise<Outcome<Value>>;
  readonly isIndependent?: boolean;
}

/** Where branches part. */
export interface Fork {
  readonly branch: Branch;
  /** True while something is recorded that was not made again. */
  hasBegun(): boolean;
}

interface Begun<Value> {
  readonly branch: HeldBranch;
  readonly result: Promise<Outcome<Value>>;
}

/** Branches that act at the same time; one that is not independent is a group of its own. */
interface Group<Value> {
  readonly start: number;
  readonly members: readonly Beside<Value>[];
  readonly begun: Begun<Value>[];
  isOpen: boolean;
}

/** Runs each in its order and answers with all outcomes. */
export async function runInOrder<Value>(
  runs: readonly Beside<Value>[],
  fork: Fork,
): Promise<Outcome<Value>[]> {
  const line = createLine<Value>();
  const groups = listGroups(runs);
  for (const group of groups) {
    for (const { run } of group.members) await line.begin(group, run, fork.branch);
    // New events must follow all recorded ones, also those of calls further back in line.
    if (line.isNext(group) && !fork.branch.isBehind() && !fork.hasBegun()) await line.end(group);
  }
  if (groups.some(({ begun }) => begun.some(({ branch }) => branch.isHeld())))
    await fork.branch.hold();
  const outcomes: Outcome<Value>[] = [];
  for (const group of groups) outcomes.push(...(await line.end(group)));
  return outcomes;
}

function listGroups<Value>(runs: readonly Beside<Value>[]): Group<Value>[] {
  const groups: (Group<Value> & { readonly members: Beside<Value>[] })[] = [];
  for (const [index, one] of runs.entries()) {
    const last = groups.at(-1);
    const isBeside = one.isIndependent === true && last?.members[0]?.isIndependent === true;
    if (isBeside) last.members.push(one);
    else groups.push({ start: index, members: [one], begun: [], isOpen: false });
  }
  // A single member waits for no other to begin.
  for (const group of groups) group.isOpen = group.members.length === 1;
  return groups;
}

interface Line<Value> {
  /** Begins one, and goes on when it has ended or is held back. */
  begin(group: Group<Value>, run: Beside<Value>["run"], parent: Branch): Promise<void>;
  /** True when everything before the group has ended well. */
  isNext(group: Group<Value>): boolean;
  /** Lets a group go, and waits for all of it. */
  end(group: Group<Value>): Promise<Outcome<Value>[]>;
}

function createLine<Value>(): Line<Value> {
  let ended = 0;
  let failed = Number.POSITIVE_INFINITY;
  const note = ({ kind }: Outcome<Value>, index: number): void => {
    if (kind === "ok" && ended === index) ended += 1;
    if (kind === "error") failed = Math.min(failed, index);
  };
  return {
    isNext: ({ start }) => ended >= start,
    begin: async (group, run, parent) => {
      const { start, begun } = group;
      const branch = createBranch(parent, {
        isBehind: () => !group.isOpen || ended < start,
        isOver: () => failed < start,
      });
      const result = run(branch);
      // A branch that breaks is reported where its result is taken.
      result.catch(() => {});
      begun.push({ branch, result });
      const first = await Promise.race([result, branch.held]);
      if (first !== "held") note(first, start + begun.length - 1);
    },
    end: async (group) => {
      group.isOpen = true;
      for (const { branch } of group.begun) branch.release();
      const results = group.begun.map(({ result }) => result);
      // If one breaks, the others are not left to act on their own.
      await Promise.allSettled(results);
      const outcomes = await Promise.all(results);
      for (const [index, outcome] of outcomes.entries()) note(outcome, group.start + index);
      return outcomes;
    },
  };
}

interface HeldBranch extends Branch {
  /** Kept when the branch is held back for the first time. */
  readonly held: Promise<"held">;
  isHeld(): boolean;
  release(): void;
}

function createBranch(parent: Branch, place: Pick<Branch, "isBehind" | "isOver">): HeldBranch {
  let [isHeld, isReleased] = [false, false];
  const held = Promise.withResolvers<"held">();
  const released = Promise.withResolvers<void>();
  return {
    held: held.promise,
    isBehind: () => place.isBehind() || parent.isBehind(),
    isOver: () => place.isOver() || parent.isOver(),
    stop: parent.stop,
    isStopped: parent.isStopped,
    isHeld: () => isHeld && !isReleased,
    release: () => {
      isReleased = true;
      released.resolve();
    },
    hold: async () => {
      if (isReleased) return;
      isHeld = true;
      held.resolve("held");
      await released.promise;
    },
  };
}
