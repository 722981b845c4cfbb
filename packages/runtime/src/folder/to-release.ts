import type { RegisteredRelease } from "@turnseal/adapters/postgres";
import type { Release } from "@turnseal/host";

/** What was written down of a release: only whoever owns the database can have written it. */
export function toRelease({ facts }: Pick<RegisteredRelease, "facts">): Release {
  return facts as unknown as Release;
}

/** In the order in which runs are handed on: those that drain last, and the newest first. */
export function listPreferred(registered: readonly RegisteredRelease[]): RegisteredRelease[] {
  return registered.toSorted((a, b) => {
    if (a.isDraining !== b.isDraining) return a.isDraining ? 1 : -1;
    return a.registeredAt > b.registeredAt ? -1 : 1;
  });
}
