/**
 * How many messages act at once on one worker. Whoever finds no slot waits for a while, in order,
 * and is then sent away with a time to come again: a queue in a process would be lost with it.
 */
import type { Clock } from "@turnseal/ports";
import { invariant } from "@turnseal/protocol";

export interface Slots {
  readonly max: number;
  inUse(): number;
  /** Answers with what gives the slot back, or with nothing when none became free in time. */
  take(clock: Clock, waitMs: number): Promise<(() => void) | undefined>;
}

export function createSlots(max: number): Slots {
  invariant(Number.isSafeInteger(max) && max > 0, "a worker has at least one slot");
  const queue: (() => void)[] = [];
  let inUse = 0;
  const giver = (): (() => void) => {
    let isGiven = false;
    return () => {
      if (isGiven) return;
      isGiven = true;
      const next = queue.shift();
      // The slot goes from hand to hand: nobody who came later can take it in between.
      if (next === undefined) inUse -= 1;
      else next();
    };
  };
  return {
    max,
    inUse: () => inUse,
    take: async (clock, waitMs) => {
      if (inUse < max) {
        inUse += 1;
        return giver();
      }
      return new Promise((resume) => {
        const cancel = clock.after(waitMs, () => {
          queue.splice(queue.indexOf(enter), 1);
          resume(undefined);
        });
        const enter = (): void => {
          cancel();
          resume(giver());
        };
        queue.push(enter);
      });
    },
  };
}
