import { listNamed } from "../durable/find-runs.ts";
import { type KnownRun, listRuns } from "./list-runs.ts";
import type { StoreFolder } from "./store-folder.ts";

/** The name of the newest run. */
export const LAST_RUN = "last";

export type RunSearch =
  | { readonly kind: "found"; readonly known: KnownRun }
  | { readonly kind: "unusable"; readonly message: string; readonly next: string };

const NEXT_RUNS = "turnseal runs  (lists what is there)";
/** How many runs a message names. */
const NAMED_MAX = 5;

/** The run that a command line means: an id, the beginning of one, or `last`. */
export async function findRun(folder: StoreFolder, name: string): Promise<RunSearch> {
  // Under an engine only those are read that the name may mean.
  const isAll = folder.engine === undefined || name === LAST_RUN;
  const runs = await (isAll ? listRuns(folder) : listNamed(folder, name.toLowerCase()));
  const [newest] = runs;
  if (newest === undefined && isAll)
    return { kind: "unusable", message: "there are no runs", next: "turnseal run <loop>" };
  if (newest !== undefined && name === LAST_RUN) return { kind: "found", known: newest };
  const matching = name === "" ? [] : runs.filter(({ run }) => run.startsWith(name.toLowerCase()));
  const [known, ...others] = matching;
  if (known === undefined)
    return { kind: "unusable", message: `there is no run ${name}`, next: NEXT_RUNS };
  if (others.length === 0) return { kind: "found", known };
  const named = matching.slice(0, NAMED_MAX).map(({ run }) => run);
  const message = `${matching.length} runs begin with ${name}: ${named.join(", ")}`;
  return { kind: "unusable", message, next: "write more of the id" };
}

/** The newest run that has not stopped. */
export async function findUnfinished(folder: StoreFolder): Promise<RunSearch> {
  const runs = await listRuns(folder);
  const known = runs.find(({ projection }) => (projection?.stopped ?? null) === null);
  if (known !== undefined) return { kind: "found", known };
  const message = runs.length === 0 ? "there are no runs" : "every run has stopped";
  return { kind: "unusable", message, next: NEXT_RUNS };
}
