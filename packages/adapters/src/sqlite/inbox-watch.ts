/**
 * Remembers which inboxes are empty, so that a look at one of them costs no search.
 *
 * 1. `data_version` changes whenever another connection has committed anything: then nothing is
 *    known any more.
 * 2. This connection's own writes do not change it, so a put through this connection reports
 *    itself.
 * 3. The version is read before the rows. A row that comes between the two is found, or changes the
 *    version for the next look.
 */
import type { DatabaseSync } from "node:sqlite";
import { readInteger } from "./columns.ts";

export interface InboxWatch {
  /** False when nothing can have come since the inbox was found empty. */
  mayHoldRows(run: string): boolean;
  noteEmpty(run: string): void;
  notePut(run: string): void;
}

/** How many empty inboxes are remembered. */
export const EMPTY_INBOXES_MAX = 10_000;

export function watchInboxes(db: DatabaseSync): InboxWatch {
  const readVersion = db.prepare("pragma data_version");
  const empty = new Set<string>();
  let lastVersion = -1;
  const changedSinceLastLook = (): boolean => {
    const version = readInteger(readVersion.get(), "data_version");
    const isChanged = version !== lastVersion;
    lastVersion = version;
    return isChanged;
  };
  return {
    mayHoldRows: (run) => {
      if (changedSinceLastLook()) empty.clear();
      return !empty.has(run);
    },
    noteEmpty: (run) => {
      if (empty.size >= EMPTY_INBOXES_MAX) empty.clear();
      empty.add(run);
    },
    notePut: (run) => void empty.delete(run),
  };
}
