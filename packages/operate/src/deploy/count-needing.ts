import type { ReleaseBook } from "@turnseal/adapters/postgres";
import { findReleaseLack, type Release } from "@turnseal/host";
import { readUnfinished } from "./read-unfinished.ts";

export interface Needing {
  /** Unfinished runs that only this release can drive, by its name. */
  readonly alone: ReadonlyMap<string, number>;
  /** Unfinished runs that no release can drive. */
  readonly blocked: number;
  readonly unfinished: number;
}

/** How many unfinished runs would be left without each of the releases. */
export async function countNeeding(
  book: Pick<ReleaseBook, "listTenants" | "readerOf">,
  releases: readonly Release[],
): Promise<Needing> {
  const alone = new Map<string, number>();
  let [blocked, unfinished] = [0, 0];
  for await (const { run, stores } of readUnfinished(book)) {
    unfinished++;
    const able: string[] = [];
    for (const release of releases) {
      if ((await findReleaseLack(release, run, stores)) === undefined) able.push(release.name);
      if (able.length > 1) break;
    }
    const [only] = able;
    if (only === undefined) blocked++;
    else if (able.length === 1) alone.set(only, (alone.get(only) ?? 0) + 1);
  }
  return { alone, blocked, unfinished };
}
