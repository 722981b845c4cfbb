/**
 * Reads runs, the newest first, page by page: a reader that stops early has read no more than a
 * page.
 */
import { type KnownRun, readRun, readSnapshot } from "@turnseal/host";
import { readOrigin } from "../origins/origin.ts";
import type { StoreFolder } from "../store-folder.ts";
import { listRuns } from "./list-runs.ts";

/** The runs of a folder or a database from the newest on, or from before one of them. */
export async function* readNewest(folder: StoreFolder, before?: string): AsyncGenerator<KnownRun> {
  if (folder.newest === undefined) return yield* readSorted(folder, before);
  for (let page = await folder.newest(before); page.length > 0; ) {
    for (const { run, snapshot } of page) {
      const projection =
        readSnapshot(snapshot) ?? (snapshot && (await readRun(folder.stores, run)));
      if (projection !== undefined) {
        const { spec, startedAt } = projection;
        yield { run, loop: spec?.loop ?? "", startedAt: startedAt ?? "", projection };
        continue;
      }
      // A run that was only started has no events: the note alone says what it is.
      const note = await readOrigin(folder.path, run);
      if (note !== undefined)
        yield { run, loop: note.loop, startedAt: note.startedAt, projection: undefined };
    }
    page = await folder.newest(page.at(-1)?.run);
  }
}

async function* readSorted(folder: StoreFolder, before?: string): AsyncGenerator<KnownRun> {
  const runs = await listRuns(folder);
  const place = runs.findIndex(({ run }) => run === before);
  yield* runs.slice(place + 1);
}
