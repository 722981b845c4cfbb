import { type RunProjection, waitsForProvider } from "@turnseal/folds";
import { HostError } from "../host-error.ts";
import type { RetryToSend } from "./inbox-messages.ts";

/**
 * The turn that a provider has ended. Refuses with the actions that would be done again, unless the
 * caller accepts that.
 */
export function findTurnToRetry(
  projection: RunProjection | undefined,
  mayRepeat: boolean,
): Pick<RetryToSend, "turn"> | undefined {
  if (projection === undefined || !waitsForProvider(projection)) return undefined;
  const { repeats = [] } = projection.lastTurn?.outage ?? {};
  if (repeats.length === 0 || mayRepeat) return { turn: projection.turns };
  const what = repeats.join(", ");
  throw new HostError("RETRY_REPEATS", `the next turn does ${what} again: say \`again\` for that`);
}
