/**
 * Things that stand beside each other in a turn, such as the tools that a model asks for at once.
 *
 * 1. They act in their order: while one waits for a person, those behind it may ask too, and do
 *    nothing else.
 * 2. A resume runs them again against the record, where one may be ready for something new before
 *    another has made again what is recorded of it. It is held back until nothing else can move, so
 *    that what is new always follows all that is recorded.
 */
import type { Outcome } from "./outcome.ts";
import type { Recorder } from "./recorder.ts";

export interface Branch {
  /** Waits until nothing else can move. */
  hold(): Promise<void>;
  /** True while something before it has not ended well: then it may ask, but not act. */
  isBehind(): boolean;
  /** True when something before it failed: then nothing new follows from it. */
  isOver(): boolean;
}

/** The branch of a root call: there is nothing beside it. */
export const trunk: Branch = { hold: async () => {}, isBehind: () => false, isOver: () => false };

/** Where branches part. */
interface Fork {
  readonly branch: Branch;
  readonly recorder: Pick<Recorder, "place" | "goTo">;
}

/** Runs each in its order and answers with all outcomes. */
export async function runInOrder<Value>(
  runs: readonly ((branch: Branch) => Promise<Outcome<Value>>)[],
  fork: Fork,
): Promise<Outcome<Value>[]> {
  const { recorder } = fork;
  let ended = 0;
  let failed = Number.POSITIVE_INFINITY;
  const note = ({ kind }: Outcome<Value>, index: number): void => {
    if (kind === "ok" && ended === index) ended += 1;
    if (kind === "error") failed = Math.min(failed, index);
  };
  const begun: { readonly branch: HeldBranch; readonly result: Promise<Outcome<Value>> }[] = [];
  for (const [index, run] of runs.entries()) {
    const branch = createBranch(fork, {
      isBehind: () => ended < index,
      isOver: () => failed < index,
    });
    const result = run(branch);
    // A branch that breaks is reported where its result is taken.
    result.catch(() => {});
    begun.push({ branch, result });
    const first = await Promise.race([result, branch.held]);
    if (first !== "held") note(first, index);
  }
  if (begun.some(({ branch }) => branch.isHeld())) await fork.branch.hold();
  let latest = recorder.place();
  const outcomes: Outcome<Value>[] = [];
  for (const [index, { branch, result }] of begun.entries()) {
    branch.release();
    const outcome = await result;
    outcomes.push(outcome);
    note(outcome, index);
    if (wallOf(recorder.place()) > wallOf(latest)) latest = recorder.place();
  }
  // Whatever the order in which they ended, time goes on from the latest.
  recorder.goTo(latest);
  return outcomes;
}

function wallOf({ lastMs, idleMs }: ReturnType<Recorder["place"]>): number {
  return lastMs + idleMs;
}

interface HeldBranch extends Branch {
  /** Kept when the branch is held back for the first time. */
  readonly held: Promise<"held">;
  isHeld(): boolean;
  release(): void;
}

function createBranch(
  { branch: parent, recorder }: Fork,
  place: Pick<Branch, "isBehind" | "isOver">,
): HeldBranch {
  let [isHeld, isReleased] = [false, false];
  const held = Promise.withResolvers<"held">();
  const released = Promise.withResolvers<void>();
  return {
    held: held.promise,
    isBehind: () => place.isBehind() || parent.isBehind(),
    isOver: () => place.isOver() || parent.isOver(),
    isHeld: () => isHeld,
    release: () => {
      isReleased = true;
      released.resolve();
    },
    hold: async () => {
      if (isReleased) return;
      // Its own time stands still while others move.
      const place = recorder.place();
      isHeld = true;
      held.resolve("held");
      await released.promise;
      recorder.goTo(place);
    },
  };
}
