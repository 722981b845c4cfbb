/** What a command line means that names something which waits: by its own id, or by its run. */

import {
  type KnownRun,
  readRun,
  readWaiting,
  type Waiting,
  type WaitingRequest,
} from "@turnseal/host";
import {
  type AskingRuns,
  findIdleRoot,
  findNewest,
  LAST_RUN,
  listAsking,
  listRuns,
  type StoreFolder,
} from "@turnseal/runtime/folder";

export interface WaitingRun {
  readonly known: KnownRun;
  readonly waiting: Waiting;
  /** The run to resume so that what is answered is read, where nobody carries it. */
  readonly resume: string | undefined;
}

export interface WaitingRuns {
  /** The newest first. */
  readonly waiting: readonly WaitingRun[];
  /** How many others wait for somebody, too. */
  readonly more: number;
}

/** Every run that waits for somebody. */
export async function listWaitingRuns(folder: StoreFolder): Promise<WaitingRuns> {
  const { runs, more } = await listCandidates(folder);
  return { waiting: await readWaitingRuns(folder, runs), more };
}

/** What of it a name means. A run stands for everything of it, and an id for itself alone. */
export async function findWaiting(folder: StoreFolder, name: string): Promise<WaitingRun[]> {
  const prefix = name.toLowerCase();
  if (prefix === "") return [];
  const newest = prefix === LAST_RUN ? await findNewest(folder) : undefined;
  const isRun = (run: string): boolean => run === newest || run.startsWith(prefix);
  const { runs } = await listCandidates(
    folder,
    ({ run, id }) => isRun(run) || id.startsWith(prefix),
  );
  return (await readWaitingRuns(folder, runs)).flatMap((each) => {
    const { known, waiting } = each;
    if (isRun(known.run)) return [each];
    const requests = waiting.requests.filter(({ id }) => id.startsWith(prefix));
    const unknown = waiting.unknown.filter(({ key }) => key.startsWith(prefix));
    if (requests.length + unknown.length === 0) return [];
    return [{ ...each, waiting: { ...waiting, requests, unknown } }];
  });
}

/** Under an engine there is a list of what is asked; a folder is read whole. */
async function listCandidates(
  folder: StoreFolder,
  isMeant?: Parameters<typeof listAsking>[1],
): Promise<AskingRuns> {
  if (folder.engine === undefined) return { runs: await listRuns(folder), more: 0 };
  return listAsking(folder, isMeant);
}

async function readWaitingRuns(
  folder: StoreFolder,
  runs: readonly KnownRun[],
): Promise<WaitingRun[]> {
  const found: WaitingRun[] = [];
  for (const known of runs) {
    const isOpen = (known.projection?.stopped ?? null) === null;
    const projection = isOpen ? await readRun(folder.stores, known.run) : undefined;
    if (projection === undefined || projection.stopped !== null) continue;
    const waiting = await readWaiting(folder.stores, projection);
    if (waiting.requests.length + waiting.unknown.length === 0) continue;
    const resume = waiting.answered.size === 0 ? undefined : await findIdleRoot(folder, known.run);
    found.push({ known: { ...known, projection }, waiting, resume });
  }
  return found;
}

export interface FoundRequest extends WaitingRun {
  readonly request: WaitingRequest;
}

export type RequestSearch =
  | { readonly kind: "found"; readonly found: FoundRequest }
  | { readonly kind: "unusable"; readonly message: string; readonly next: string };

const NEXT_INBOX = "turnseal inbox  (lists what waits)";
/** How many a message names. */
const NAMED_MAX = 5;

/** The one approval or question that a name means. */
export async function findRequestByName(
  folder: StoreFolder,
  kind: WaitingRequest["kind"],
  name: string,
): Promise<RequestSearch> {
  const matching = (await findWaiting(folder, name)).flatMap((each) =>
    each.waiting.requests
      .filter((request) => request.kind === kind)
      .map((request) => ({ ...each, request })),
  );
  const [found, ...others] = matching;
  if (found === undefined)
    return { kind: "unusable", message: `no open ${kind} matches ${name}`, next: NEXT_INBOX };
  if (others.length === 0) return { kind: "found", found };
  const named = matching.slice(0, NAMED_MAX).map(({ request }) => request.id);
  const message = `${matching.length} ${kind}s match ${name}: ${named.join(", ")}`;
  return { kind: "unusable", message, next: `name one by its id: ${NEXT_INBOX}` };
}
