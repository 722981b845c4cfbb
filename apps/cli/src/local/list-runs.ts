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
export async function listRuns({ path, stores }: StoreFolder): Promise<KnownRun[]> {
  const known = new Map<string, KnownRun>();
  for (const { run, loop, startedAt } of await listOrigins(path)) {
    known.set(run, { run, loop, startedAt, projection: undefined });
  }
  for await (const projection of readProjections(stores)) {
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

async function* readProjections({ runs }: Stores): AsyncGenerator<RunProjection> {
  for (let after = ""; ; ) {
    const page = await runs.list(after);
    for (const { state } of page) yield state as unknown as RunProjection;
    const last = page.at(-1);
    if (last === undefined) return;
    after = last.run;
  }
}
