import type { Stores } from "@turnseal/ports";
import { readRun } from "../../projection/read-run.ts";
import type { RunProjection } from "../../projection/run-projection.ts";

/**
 * A run that the store knows. Without a projection it was started, and nobody has carried it yet.
 */
export interface KnownRun {
  readonly run: string;
  readonly loop: string;
  readonly startedAt: string;
  readonly projection: RunProjection | undefined;
}

/** The runs of these ids, as they stand. */
export async function readKnown(stores: Stores, runs: readonly string[]): Promise<KnownRun[]> {
  const known: KnownRun[] = [];
  for (const run of runs) {
    const projection = await readRun(stores, run);
    if (projection === undefined) continue;
    const { spec, startedAt } = projection;
    known.push({ run, loop: spec?.loop ?? "", startedAt: startedAt ?? "", projection });
  }
  return known;
}
