import { isAwaited, type RunProjection, type SignalEvent } from "@turnseal/folds";
import { type EventLog, READ_EVENTS_MAX } from "@turnseal/ports";
import { type ConsumedSignal, describeTrigger, InvariantError } from "@turnseal/protocol";

/** How many events are read at first: mostly the signals stand one behind the other. */
const FIRST_READ = 16;

/** The oldest awaited signal that no turn has begun with, as a decision names it. */
export async function findAwaited(run: RunProjection, log: EventLog): Promise<ConsumedSignal> {
  let next = (run.awaited?.after ?? 0) + 1;
  for (let most = FIRST_READ; ; most = Math.min(most * 2, READ_EVENTS_MAX)) {
    const page = await log.read(run.run, next, most);
    const found = page.find((event): event is SignalEvent => isAwaited(run, event));
    if (found !== undefined) return nameSignal(found);
    if (page.length < most) break;
    next += page.length;
  }
  throw new InvariantError("a signal that was counted is not in the log");
}

function nameSignal(event: SignalEvent): ConsumedSignal {
  const { name, payload } = event.content;
  const { sequence, hash, by } = describeTrigger(event);
  return { sequence, hash, by, name, payload };
}
