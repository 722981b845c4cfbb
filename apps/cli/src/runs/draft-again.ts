import { findAwaitedProvider, findQuarantined, type KnownRun, retryMessage } from "@turnseal/host";
import type { InboxMessage } from "@turnseal/ports";
import { readPerson } from "../terminal/read-person.ts";

/**
 * Whoever resumes a run that was quarantined, or that waits for its provider, wants it to go on
 * now; but where that does something again, only if they say so.
 */
export function draftAgain(
  { run, projection }: KnownRun,
  { again = false }: { readonly again?: boolean },
): InboxMessage | undefined {
  const by = readPerson();
  const quarantined = findQuarantined(projection);
  if (quarantined !== undefined) return retryMessage(run, { ...quarantined, by });
  const provider = projection === undefined ? undefined : findAwaitedProvider(projection);
  if (projection === undefined || provider === undefined) return undefined;
  if (provider.repeats !== undefined && !again) return undefined;
  return retryMessage(run, { turn: projection.turns, by, again });
}
