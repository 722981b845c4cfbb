import { findQuarantined } from "@turnseal/folds";
import { type KnownRun, retryMessage } from "@turnseal/host";
import type { InboxMessage } from "@turnseal/ports";
import { findAwaitedProvider } from "@turnseal/views";
import { readPerson } from "../../terminal/read-person.ts";

/**
 * Resuming a quarantined run, or one that waits for its provider, continues it now; but if that
 * repeats actions, only with `--again`.
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
