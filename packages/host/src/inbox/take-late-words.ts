import type { Appender } from "@turnseal/kernel";
import type { Stores } from "@turnseal/ports";
import type { RunProjection } from "../projection/run-projection.ts";
import { listUnknown } from "../projection/unknown-ends.ts";
import { draftLateWord } from "./draft-resolution.ts";

interface LateTarget {
  readonly appender: Appender;
  readonly stores: Pick<Stores, "inbox">;
  readonly projection: () => RunProjection;
}

/**
 * Takes in what people said of actions that nobody knew the end of when the run stopped. Nothing
 * else may follow a stop: every other row stays.
 */
export async function takeLateWords({ appender, stores, projection }: LateTarget): Promise<void> {
  if (projection().stopped === null || listUnknown(projection()).length === 0) return;
  for (const row of await stores.inbox.peek(appender.run, "resolve")) {
    const draft = draftLateWord(row, projection());
    if (draft === undefined) continue;
    appender.push(() => draft);
    appender.consume(row.key);
  }
  await appender.flush();
}
