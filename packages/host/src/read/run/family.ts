/** Runs that belong together: the first one, and the runs that it handed to. */

import { FAMILY_DEPTH_MAX, type RunProjection } from "@turnseal/folds";
import type { Stores } from "@turnseal/ports";
import { readRun } from "../../state/read-run.ts";

type RunStores = Pick<Stores, "log" | "runs">;

/** The run at the top: itself, or the one far above it. */
export async function findRootRun(stores: RunStores, run: string): Promise<string> {
  let root = run;
  for (let depth = 0; depth < FAMILY_DEPTH_MAX; depth++) {
    const parent = (await readRun(stores, root))?.spec?.parent?.run;
    if (parent === undefined) return root;
    root = parent;
  }
  return root;
}

/** A run, and below it every run that it handed to and that has not ended. */
export async function readFamily(
  stores: RunStores,
  projection: RunProjection,
  depth = 0,
): Promise<RunProjection[]> {
  const family = [projection];
  if (depth >= FAMILY_DEPTH_MAX) return family;
  for (const child of listChildren(projection)) {
    const below = await readRun(stores, child);
    if (below !== undefined && below.stopped === null)
      family.push(...(await readFamily(stores, below, depth + 1)));
  }
  return family;
}

/** The runs that were handed to and have not ended. */
export function listChildren({ openTurn }: RunProjection): string[] {
  return (openTurn?.open ?? []).flatMap(({ handoff }) => (handoff === null ? [] : [handoff.child]));
}
