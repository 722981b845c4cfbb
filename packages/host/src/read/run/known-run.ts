import type { RunProjection } from "@turnseal/folds";
import type { Stores } from "@turnseal/ports";
import { readRun } from "../../state/read-run.ts";

/** A known run of the store. Without a projection it was started, and has no events yet. */
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
