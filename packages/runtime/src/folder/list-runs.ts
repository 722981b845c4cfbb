import {
  type KnownRun,
  type RunProjection,
  readKnown,
  readRun,
  readSnapshot,
} from "@turnseal/host";
import type { Stores } from "@turnseal/ports";
import { listNewest } from "./list-newest.ts";
import { listOrigins } from "./origin.ts";
import type { StoreFolder } from "./store-folder.ts";

/** How many runs of a database are listed: the newest. */
export const RUNS_READ_MAX = 1_000;

export interface ListedRuns {
  /** The newest first. */
  readonly runs: readonly KnownRun[];
  /** How many older ones there are besides. */
  readonly more: number;
}

/** The runs of a folder, or the newest of a database. */
export async function listRuns(folder: StoreFolder): Promise<ListedRuns> {
  if (folder.engine !== undefined) {
    const { newest, count } = await listNewest(folder.engine, RUNS_READ_MAX);
    const runs = await readKnown(
      folder.stores,
      newest.map(({ run }) => run),
    );
    return { runs, more: count - newest.length };
  }
  const known: KnownRun[] = [];
  for await (const run of readRuns(folder)) known.push(run);
  return { runs: known.sort((a, b) => (a.startedAt > b.startedAt ? -1 : 1)), more: 0 };
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
