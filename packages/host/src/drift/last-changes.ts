/** Finds the last recorded changes of files, to know their state before. */
import { READ_EVENTS_MAX, type Stores } from "@turnseal/ports";
import type { ArtifactChanges } from "@turnseal/protocol";
import type { FileState, ManagedChange } from "@turnseal/protocol/artifact";
import { readContent } from "../state/read-content.ts";
import { artifactsOf } from "./artifacts-of.ts";

export interface LastChange {
  /** The event that recorded it. */
  readonly sequence: number;
  readonly before?: FileState;
  readonly after?: FileState;
}

type ReadStores = Pick<Stores, "log" | "blobs">;

export interface ChangedFiles {
  readonly run: string;
  readonly root: string;
  readonly paths: readonly string[];
  /** Up to this event. */
  readonly until: number;
}

/**
 * Goes back from the end of the log until each file is found. An unreadable list ends the search:
 * it may have the missing change.
 */
export async function findLastChanges(
  { run, root, paths, until }: ChangedFiles,
  stores: ReadStores,
): Promise<ReadonlyMap<string, LastChange>> {
  const found = new Map<string, LastChange>();
  const wanted = new Set(paths);
  for (let to = until; to > 0 && wanted.size > 0; to -= READ_EVENTS_MAX) {
    const from = Math.max(1, to - READ_EVENTS_MAX + 1);
    const events = await stores.log.read(run, from, to - from + 1);
    for (const event of events.toReversed()) {
      const changes = artifactsOf(event);
      if (changes?.root !== root || wanted.size === 0) continue;
      const listed = await listChanges(run, changes, stores);
      if (listed === undefined) return found;
      for (const { path, before, after } of listed) {
        if (!wanted.delete(path)) continue;
        found.set(path, {
          sequence: event.sequence,
          ...(before === undefined ? {} : { before }),
          ...(after === undefined ? {} : { after }),
        });
      }
    }
  }
  return found;
}

/** Undefined if the list was erased, or is not what was stored. */
async function listChanges(
  run: string,
  { changes }: ArtifactChanges,
  stores: ReadStores,
): Promise<readonly ManagedChange[] | undefined> {
  const value = await readContent(stores, run, changes);
  // The kernel wrote it, and its digest is that of what the kernel wrote.
  return (value as { readonly changes: readonly ManagedChange[] } | undefined)?.changes;
}
