import type { RegisteredRelease } from "@turnseal/adapters/postgres";
import type { Release } from "@turnseal/host";

/** The recorded facts of a release: only the owner of the database can have written them. */
export function toRelease({ facts }: Pick<RegisteredRelease, "facts">): Release {
  return facts as unknown as Release;
}

/** The order in which runs are handed on: draining releases last, and the newest first. */
export function listPreferred(registered: readonly RegisteredRelease[]): RegisteredRelease[] {
  return registered.toSorted((a, b) => {
    if (a.isDraining !== b.isDraining) return a.isDraining ? 1 : -1;
    return a.registeredAt > b.registeredAt ? -1 : 1;
  });
}
