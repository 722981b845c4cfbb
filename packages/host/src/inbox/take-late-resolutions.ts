import { listUnknown, type RunProjection } from "@turnseal/folds";
import type { Appender } from "@turnseal/kernel";
import type { Stores } from "@turnseal/ports";
import { draftLateResolution } from "./draft-resolution.ts";

interface LateTarget {
  readonly appender: Appender;
  readonly stores: Pick<Stores, "inbox">;
  readonly projection: () => RunProjection;
}

/**
 * Takes in answers on actions that were unknown when the run stopped. No other event may follow a
 * stop: every other row stays.
 */
export async function takeLateResolutions({
  appender,
  stores,
  projection,
}: LateTarget): Promise<void> {
  if (projection().stopped === null || listUnknown(projection()).length === 0) return;
  for (const row of await stores.inbox.peek(appender.run, "resolve")) {
    const draft = draftLateResolution(row, projection());
    if (draft === undefined) continue;
    appender.push(() => draft);
    appender.consume(row.key);
  }
  await appender.flush();
}
