import type { KnownRun } from "@turnseal/host";
import type { StoreFolder } from "../store-folder.ts";
import { listNamed } from "./find-runs.ts";
import { readNewest } from "./list-newest.ts";
import { listRuns } from "./list-runs.ts";

/** The name of the newest run that no other run has handed to. */
export const LAST_RUN = "last";

export type RunSearch =
  | { readonly kind: "found"; readonly known: KnownRun }
  | { readonly kind: "unusable"; readonly message: string; readonly next: string };

const NEXT_RUNS = "turnseal runs  (lists what is there)";
/** How many runs a message names. */
const NAMED_MAX = 5;

/** The run that a command line means: an id, the beginning of one, or `last`. */
export async function findRun(folder: StoreFolder, name: string): Promise<RunSearch> {
  if (name === LAST_RUN) {
    const newest = await findLast(folder, isRoot);
    return newest === undefined ? nothing : { kind: "found", known: newest };
  }
  // Under an engine only those are read that the name may mean.
  const isAll = folder.engine === undefined;
  const runs = isAll ? await listRuns(folder) : await listNamed(folder, name.toLowerCase());
  if (isAll && runs.length === 0) return nothing;
  const matching = name === "" ? [] : runs.filter(({ run }) => run.startsWith(name.toLowerCase()));
  const [known, ...others] = matching;
  if (known === undefined)
    return { kind: "unusable", message: `there is no run ${name}`, next: NEXT_RUNS };
  if (others.length === 0) return { kind: "found", known };
  const named = matching.slice(0, NAMED_MAX).map(({ run }) => run);
  const message = `${matching.length} runs begin with ${name}: ${named.join(", ")}`;
  return { kind: "unusable", message, next: "write more of the id" };
}

const nothing: RunSearch = {
  kind: "unusable",
  message: "there are no runs",
  next: "turnseal run <loop>",
};

/** The id of the newest run, even if another run started it. */
export async function findNewest(folder: StoreFolder): Promise<string | undefined> {
  return (await findLast(folder, () => true))?.run;
}

function isRoot({ projection }: KnownRun): boolean {
  return projection?.spec?.parent === undefined;
}

/** The newest run that has not stopped. */
export async function findUnfinished(folder: StoreFolder): Promise<RunSearch> {
  const known = await findLast(folder, ({ projection }) => (projection?.stopped ?? null) === null);
  if (known !== undefined) return { kind: "found", known };
  const isEmpty = (await findNewest(folder)) === undefined;
  const message = isEmpty ? "there are no runs" : "every run has stopped";
  return { kind: "unusable", message, next: NEXT_RUNS };
}

/** The newest of the runs that are wanted, if there is one. */
async function findLast(
  folder: StoreFolder,
  isWanted: (run: KnownRun) => boolean,
): Promise<KnownRun | undefined> {
  for await (const known of readNewest(folder)) if (isWanted(known)) return known;
  return undefined;
}
