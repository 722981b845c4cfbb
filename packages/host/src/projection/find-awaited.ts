import type { EventLog } from "@turnseal/ports";
import { type ConsumedSignal, describeTrigger, InvariantError } from "@turnseal/protocol";
import { isAwaited } from "./awaited-signals.ts";
import { readEvents } from "./load-projection.ts";
import type { RunProjection } from "./run-projection.ts";

/** The oldest awaited signal that no turn has begun with, as a decision names it. */
export async function findAwaited(run: RunProjection, log: EventLog): Promise<ConsumedSignal> {
  for await (const event of readEvents(log, run.run, (run.awaited?.after ?? 0) + 1)) {
    if (!isAwaited(run, event)) continue;
    const { name, payload } = event.content;
    const { sequence, hash, by } = describeTrigger(event);
    return { sequence, hash, by, name, payload };
  }
  throw new InvariantError("a signal that was counted is not in the log");
}
