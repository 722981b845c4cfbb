import type { RunProjection } from "@turnseal/host";
import type { Stores } from "@turnseal/ports";
import { listOrigins } from "./origin.ts";
import type { StoreFolder } from "./store-folder.ts";

/**
 * A run that the store knows. Without a projection it was started, and nobody has carried it yet.
 */
export interface KnownRun {
  readonly run: string;
  readonly loop: string;
  readonly startedAt: string;
  readonly projection: RunProjection | undefined;
}

/** Every run, the newest first. */
export async function listRuns({ path, stores, engine }: StoreFolder): Promise<KnownRun[]> {
  const known = new Map<string, KnownRun>();
  // Under an engine a run is in the database from its first moment on; a note may be of another.
  const notes = engine === undefined ? await listOrigins(path) : [];
  for (const { run, loop, startedAt } of notes) {
    known.set(run, { run, loop, startedAt, projection: undefined });
  }
  for await (const projection of readProjections(
    stores,
    engine === undefined ? Infinity : RUNS_READ_MAX,
  )) {
    const { run, spec, startedAt } = projection;
    const noted = known.get(run);
    known.set(run, {
      run,
      loop: spec?.loop ?? noted?.loop ?? "",
      startedAt: startedAt ?? noted?.startedAt ?? "",
      projection,
    });
  }
  return [...known.values()].sort((a, b) => (a.startedAt > b.startedAt ? -1 : 1));
}

/** How many runs of a database one command reads to find the newest. */
export const RUNS_READ_MAX = 10_000;

async function* readProjections(
  { runs }: Pick<Stores, "runs">,
  max: number,
): AsyncGenerator<RunProjection> {
  let read = 0;
  for (let after = ""; ; ) {
    const page = await runs.list(after);
    for (const { state } of page) yield state as unknown as RunProjection;
    read += page.length;
    const last = page.at(-1);
    if (last === undefined || read >= max) return;
    after = last.run;
  }
}
