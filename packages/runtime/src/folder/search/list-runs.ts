import type { RunProjection } from "@turnseal/folds";
import { type KnownRun, readRun, readSnapshot } from "@turnseal/host";
import type { Stores } from "@turnseal/ports";
import { listOrigins } from "../origins/origin.ts";
import type { StoreFolder } from "../store-folder.ts";

/** Every run of a folder, the newest first. */
export async function listRuns(folder: StoreFolder): Promise<readonly KnownRun[]> {
  const known: KnownRun[] = [];
  for await (const run of readRuns(folder)) known.push(run);
  return known.sort((a, b) => (a.startedAt > b.startedAt ? -1 : 1));
}

/** Every run, one after the other, by their ids. */
export async function* readRuns({ path, stores, engine }: StoreFolder): AsyncGenerator<KnownRun> {
  // Under an engine a run is in the database from its first moment on; a note may be of another.
  const notes = engine === undefined ? await listOrigins(path) : [];
  const noted = new Map(notes.map((note) => [note.run, note]));
  for await (const projection of readProjections(stores)) {
    const { run, spec, startedAt } = projection;
    const note = noted.get(run);
    noted.delete(run);
    yield {
      run,
      loop: spec?.loop ?? note?.loop ?? "",
      startedAt: startedAt ?? note?.startedAt ?? "",
      projection,
    };
  }
  for (const { run, loop, startedAt } of noted.values())
    yield { run, loop, startedAt, projection: undefined };
}

async function* readProjections({
  runs,
  log,
}: Pick<Stores, "runs" | "log">): AsyncGenerator<RunProjection> {
  for (let page = await runs.list(""); page.length > 0; ) {
    for (const snapshot of page) {
      const projection = readSnapshot(snapshot) ?? (await readRun({ log, runs }, snapshot.run));
      if (projection !== undefined) yield projection;
    }
    page = await runs.list(page.at(-1)?.run);
  }
}
