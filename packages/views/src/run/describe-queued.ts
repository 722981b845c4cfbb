import type { RunProjection } from "@turnseal/folds";
import { findAwaitedProvider } from "./describe-cause.ts";

/**
 * Describes the wait of a new message; undefined where its turn begins at once, or after the
 * current one.
 */
export function describeQueued(run: RunProjection | undefined, signal: string): string | undefined {
  if (run === undefined || run.spec?.bounds.awaits?.includes(signal) !== true) return undefined;
  const [asked] = run.openTurn?.asked ?? [];
  if (asked?.kind === "approval") return `queued until the approval of ${asked.name} is decided`;
  if (asked !== undefined) return `queued until the question of ${asked.loop} is answered`;
  const repeats = findAwaitedProvider(run)?.repeats;
  return repeats === undefined
    ? undefined
    : `queued until a person says retry: the turn did ${repeats.join(", ")}`;
}
