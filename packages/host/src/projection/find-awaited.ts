import type { EventLog } from "@turnseal/ports";
import { type BlobRef, describeTrigger, InvariantError, type JsonObject } from "@turnseal/protocol";
import { isAwaited } from "./awaited-signals.ts";
import { readEvents } from "./load-projection.ts";
import type { RunProjection } from "./run-projection.ts";

/** The oldest awaited signal that no turn has begun with, as a decision names it. */
export async function findAwaited(run: RunProjection, log: EventLog): Promise<JsonObject> {
  for await (const event of readEvents(log, run.run, (run.awaited?.after ?? 0) + 1)) {
    if (!isAwaited(run, event)) continue;
    const { content } = event;
    const { sequence, hash, by } = describeTrigger(event);
    const payload = content["payload"] as unknown as BlobRef;
    const name = String(content["name"]);
    return { sequence, hash, by: { ...by }, name, payload: { ...payload } };
  }
  throw new InvariantError("a signal that was counted is not in the log");
}
