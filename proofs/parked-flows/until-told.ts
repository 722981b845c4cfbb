import { setTimeout as sleep } from "node:timers/promises";
import { isLoopError } from "@turnseal/protocol";

const AGAIN_MS = 500;
const WITHIN_MS = 600_000;

/** Repeats a message until the engine has answered: a repeated message counts once. */
export async function untilTold<Told>(tell: () => Promise<Told>): Promise<Told> {
  const endMs = performance.now() + WITHIN_MS;
  for (;;) {
    try {
      return await tell();
    } catch (error) {
      const mayHelp = isLoopError(error) && error.retry === "retry";
      if (!mayHelp || performance.now() > endMs) throw error;
      await sleep(AGAIN_MS);
    }
  }
}
