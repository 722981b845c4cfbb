/**
 * Writers who share one value: each has a count of its own in it, and adds to it by compare and
 * set. A writer whose change is lost would find its count lower than its answer, and get the same
 * count twice.
 */
import { setTimeout as sleep } from "node:timers/promises";
import { type ValueStateLayer, VERSION_NONE } from "@turnseal/ports";
import { isLoopError } from "@turnseal/protocol";

/** A change that the store has answered as done. */
export interface Told {
  readonly writer: string;
  readonly count: number;
  readonly version: number;
}

export const COUNTS = "counts";
const AWAY_MS = 20;

/** Adds until the writer's own count is what it shall be, through every failure of the store. */
export async function writeCounts(
  values: ValueStateLayer,
  { writer, adds }: { readonly writer: string; readonly adds: number },
  tell: (told: Told) => void,
): Promise<void> {
  for (;;) {
    try {
      const { value = {}, version = VERSION_NONE } = (await values.read(COUNTS)) ?? {};
      const counts = value as Record<string, number>;
      const count = (counts[writer] ?? 0) + 1;
      if (count > adds) return;
      const answer = await values.compareAndSet(COUNTS, version, { ...counts, [writer]: count });
      if (answer.kind === "done") tell({ writer, count, version: answer.version });
      // Without a pause of its own length for each, all of them try at once for ever.
      else await sleep(Math.random() * AWAY_MS);
    } catch (error) {
      if (!isLoopError(error) || error.retry !== "retry") throw error;
      await sleep(AWAY_MS);
    }
  }
}
