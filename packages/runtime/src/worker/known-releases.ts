import type { RegisteredRelease } from "@turnseal/adapters/postgres";
import type { Release } from "@turnseal/host";
import type { Releases } from "@turnseal/host/restate";
import { listPreferred, toRelease } from "../deploy/to-release.ts";

/** How long what was read of the releases is relied on: many runs may be handed on at once. */
const FRESH_MS = 1_000;

/** What a worker knows of other releases. It is read only when a run lacks something. */
export function knownReleases(
  own: Release,
  read: () => Promise<readonly RegisteredRelease[]>,
): Releases {
  let known: { readonly list: Promise<readonly Release[]>; readonly atMs: number } | undefined;
  return {
    own,
    list: async () => {
      if (known === undefined || Date.now() - known.atMs > FRESH_MS) {
        const list = read().then((registered) => listPreferred(registered).map(toRelease));
        known = { list, atMs: Date.now() };
        // What failed is read again.
        list.catch(() => {
          known = undefined;
        });
      }
      return known.list;
    },
  };
}
