import type { RegisteredRelease } from "@turnseal/adapters/postgres";
import type { Release } from "@turnseal/host";
import { listPreferred, toRelease } from "./to-release.ts";

/** How long a read of the releases is valid: many runs may be looked at at once. */
export const RELEASES_FRESH_MS = 1_000;

/** Reads the deployed releases on demand, in the order in which runs are handed on. */
export function recentReleases(
  read: () => Promise<readonly RegisteredRelease[]>,
): () => Promise<readonly Release[]> {
  let known: { readonly list: Promise<readonly Release[]>; readonly atMs: number } | undefined;
  return async () => {
    if (known === undefined || Date.now() - known.atMs > RELEASES_FRESH_MS) {
      const list = read().then((registered) => listPreferred(registered).map(toRelease));
      known = { list, atMs: Date.now() };
      // A failed read is tried again.
      list.catch(() => {
        known = undefined;
      });
    }
    return known.list;
  };
}
