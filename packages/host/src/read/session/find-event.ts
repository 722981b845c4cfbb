/** Finds one event of a long log without reading the log: from a place back, or by its turn. */
import type { Stores } from "@turnseal/ports";
import type { LoopEvent } from "@turnseal/protocol";

/** Events that are read at once on the way back. */
const LOOK_BACK = 128;

/** The last event before this place, and not before `first`, that is wanted. */
export async function findBefore(
  log: Pick<Stores["log"], "read">,
  { run, sequence, first = 1 }: Pick<LoopEvent, "run" | "sequence"> & { readonly first?: number },
  isWanted: (event: LoopEvent) => boolean,
): Promise<LoopEvent | undefined> {
  const start = Math.max(1, first);
  for (let end = sequence; end > start; ) {
    const from = Math.max(start, end - LOOK_BACK);
    const events = await log.read(run, from, end - from);
    const found = events.findLast(isWanted);
    if (found !== undefined) return found;
    end = from;
  }
  return undefined;
}

/**
 * A place from which on the first event of any turn is of this turn, or of a later one. Turns stand
 * in the log in their order, so that half of what is left is put aside at each look.
 */
export async function findTurn(
  log: Stores["log"],
  { run, sequence }: Pick<LoopEvent, "run" | "sequence">,
  turn: number,
): Promise<number> {
  let [low, high] = [1, sequence];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if ((await readTurn(log, run, middle)) < turn) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** The turn of the first event from a place on that has one. */
async function readTurn(log: Stores["log"], run: string, from: number): Promise<number> {
  for (let next = from; ; ) {
    const events = await log.read(run, next, LOOK_BACK);
    const found = events.find((event) => event.turn !== undefined);
    if (found?.turn !== undefined) return found.turn;
    if (events.length < LOOK_BACK) return Number.POSITIVE_INFINITY;
    next += events.length;
  }
}
