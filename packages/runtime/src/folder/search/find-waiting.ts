/** The runs that wait for a person, as a list or by a name: its own id, or that of its run. */

import { listUnknown, type RunProjection } from "@turnseal/folds";
import { type KnownRun, readRun, readWaiting, type Waiting } from "@turnseal/host";
import { hasRunKey } from "@turnseal/ports";
import { openKeptLoops } from "../origins/open-kept-loops.ts";
import type { StoreFolder } from "../store-folder.ts";
import { findIdleRoot, type IdleRoot } from "./find-idle-root.ts";
import { findNewest, LAST_RUN } from "./find-run.ts";
import { type AskingRuns, listAsking, listNamed } from "./find-runs.ts";
import { listRuns } from "./list-runs.ts";

export interface WaitingRun {
  readonly known: KnownRun;
  readonly waiting: Waiting;
  /** The run to resume so that the answer is read, if no process drives it. */
  readonly resume: IdleRoot | undefined;
}

export interface WaitingRuns extends Pick<AskingRuns, "more" | "last"> {
  /** The newest first. */
  readonly waiting: readonly WaitingRun[];
}

/**
 * The runs that wait for a person, under an engine optionally after a given run. Undefined if the
 * given run does not wait any more.
 */
export async function listWaitingRuns(
  folder: StoreFolder,
  after?: string,
): Promise<WaitingRuns | undefined> {
  const asking = await listCandidates(folder, undefined, after);
  if (asking === undefined) return undefined;
  const { runs, ...rest } = asking;
  return { waiting: await readWaitingRuns(folder, runs), ...rest };
}

/**
 * Finds waiting runs and requests by name. The name of a run stands for all of its requests, and
 * for the signals that it waits for. An id stands for itself alone.
 */
export async function findWaiting(folder: StoreFolder, name: string): Promise<WaitingRun[]> {
  const prefix = name.toLowerCase();
  if (prefix === "") return [];
  const newest = prefix === LAST_RUN ? await findNewest(folder) : undefined;
  const isRun = (run: string): boolean => run === newest || run.startsWith(prefix);
  const asking = await listCandidates(folder, ({ run, id }) => isRun(run) || id.startsWith(prefix));
  const known = asking?.runs ?? [];
  // A run that only waits for a signal has no request to a person, and is missing from that list.
  const named = folder.engine === undefined ? [] : await listNamed(folder, newest ?? prefix);
  const others = named.filter(({ run }) => known.every((each) => each.run !== run));
  return (await readWaitingRuns(folder, [...known, ...others], isRun)).flatMap((each) => {
    const { known, waiting } = each;
    if (isRun(known.run)) return [each];
    const requests = waiting.requests.filter(({ id }) => id.startsWith(prefix));
    const unknown = waiting.unknown.filter(({ key }) => key.startsWith(prefix));
    if (requests.length + unknown.length === 0) return [];
    return [{ ...each, waiting: { ...waiting, requests, unknown } }];
  });
}

/** Under an engine there is a list of requests; a folder is read whole. */
async function listCandidates(
  folder: StoreFolder,
  isMeant?: Parameters<typeof listAsking>[1],
  after?: string,
): Promise<AskingRuns | undefined> {
  if (folder.engine === undefined) return { runs: await listRuns(folder), more: 0 };
  return listAsking(folder, isMeant, after);
}

async function readWaitingRuns(
  folder: StoreFolder,
  runs: readonly KnownRun[],
  isNamed: (run: string) => boolean = () => false,
): Promise<WaitingRun[]> {
  const found: WaitingRun[] = [];
  for (const known of runs) {
    const isOpen = (known.projection?.stopped ?? null) === null;
    const projection = isOpen ? await readRun(folder.stores, known.run) : known.projection;
    if (projection === undefined || !(await mayWait(folder, projection))) continue;
    const loops = await openKeptLoops({ projection }, folder);
    const waiting = await readWaiting(folder.stores, projection, loops);
    const { requests, unknown, quarantined, signals } = waiting;
    const isSignalled = signals.length > 0 && isNamed(known.run);
    const isAsking = requests.length + unknown.length > 0 || quarantined !== undefined;
    if (!isAsking && !isSignalled) continue;
    const isRead = projection.stopped !== null || waiting.answered.size === 0;
    const resume = isRead ? undefined : await findIdleRoot(folder, known.run);
    found.push({ known: { ...known, projection }, waiting, resume });
  }
  return found;
}

/** A run that has stopped waits while something of it is unknown, and its content is not erased. */
async function mayWait({ stores }: StoreFolder, projection: RunProjection): Promise<boolean> {
  if (projection.stopped === null) return true;
  if (listUnknown(projection).length === 0) return false;
  return hasRunKey(stores.blobs, projection.run);
}
