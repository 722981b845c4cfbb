import { FAMILY_DEPTH_MAX } from "@turnseal/folds";
import type { RunReader } from "../../state/load-projection.ts";
import { readRun } from "../../state/read-run.ts";

/** The runs above a run, the nearest first: a rollback of one of them covers it, too. */
export async function listAncestors(stores: RunReader, run: string): Promise<string[]> {
  const above: string[] = [];
  for (let at = run; above.length < FAMILY_DEPTH_MAX; ) {
    const parent = (await readRun(stores, at))?.spec?.parent?.run;
    if (parent === undefined) break;
    above.push(parent);
    at = parent;
  }
  return above;
}
