/**
 * Delivers what a run owes to others: the start of runs that it hands to, a cancel that flows down,
 * and its result to its parent.
 *
 * All of it follows from the log, so that a lost delivery can be repeated: a row that is there
 * already is known, and nothing happens twice.
 */

import {
  listHandoffs,
  type OpenClaim,
  type OpenHandoff,
  ROOT_PLACE,
  type RunProjection,
} from "@turnseal/folds";
import {
  type Content,
  createContent,
  LogError,
  nameThread,
  pinReferences,
  type Registry,
  readGivenText,
} from "@turnseal/kernel";
import {
  type Ids,
  type Inbox,
  type InboxMessage,
  type PutAnswer,
  type PutRefusal,
  randomIds,
  renderBody,
  type Stores,
} from "@turnseal/ports";
import {
  type BlobRef,
  committed,
  type JsonObject,
  type JsonValue,
  listStarters,
  type RunSpec,
} from "@turnseal/protocol";
import { listFiles } from "@turnseal/protocol/files";
import { isFinalError } from "../state/final-error.ts";
import { canStart } from "../state/find-unstarted.ts";
import { readEvents } from "../state/load-projection.ts";
import { readRun } from "../state/read-run.ts";
import { copyRunFiles } from "../stores/copy-run-files.ts";

export interface DeliveryPorts {
  readonly stores: Stores;
  readonly registry: Registry;
  /** Makes the key of a run that is handed to and gets files. */
  readonly ids?: Ids;
}

/**
 * `told`: the run itself has a message to take in. `owing`: a message found no room, and must be
 * put again.
 */
export type Delivery = "delivered" | "told" | "owing";

/** The pause before another try after an inbox was full. */
export const OWING_PAUSE_MS = 1_000;

/**
 * Puts everything that the run owes into the inboxes of others. If a message can never be
 * delivered, the run itself gets a result saying that the other run was not started or cannot be
 * cancelled.
 */
export async function deliver(run: RunProjection, ports: DeliveryPorts): Promise<Delivery> {
  const { inbox } = ports.stores;
  let [isTold, isOwing] = [false, false];
  for (const claim of run.openTurn?.open ?? []) {
    // A run that cannot be started here is left to another worker: it is not owed its start.
    if (claim.handoff === null || !(await canStart(claim.handoff, ports))) continue;
    const { handoff } = claim;
    const why =
      (await deliverStart(run, claim, { ...ports, handoff })) ??
      (isCancelled(run, handoff) ? await deliverCancel(run, handoff, inbox) : undefined);
    if (why === "full") isOwing = true;
    else if (why !== undefined) {
      const isUnstarted = await isNeverStarted(claim.handoff, why, ports.stores);
      const answer = await inbox.put(undeliveredMessage(run.run, claim, { why, isUnstarted }));
      isTold ||= answer.kind === "stored";
    }
  }
  const result = await resultMessage(run, ports);
  if (result !== undefined) await inbox.put(result);
  if (isTold) return "told";
  return isOwing ? "owing" : "delivered";
}

/** True for a child that must end: with its parent, or with the item that it is. */
function isCancelled(run: RunProjection, handoff: OpenHandoff): boolean {
  return run.isCancelled || handoff.isWithdrawn === true;
}

/**
 * Lists the runs with something new in their inbox: runs that have not begun, and runs that are to
 * end. A run that has begun is driven by the worker that got its message.
 */
export async function listTold(
  run: RunProjection,
  { log }: Pick<Stores, "log">,
): Promise<readonly string[]> {
  const told: string[] = [];
  for (const handoff of listHandoffs(run)) {
    const { child } = handoff;
    // A run without events has not begun, even if a worker took its epoch and was killed.
    const sequence = (await log.readHead(child))?.sequence ?? 0;
    if (isCancelled(run, handoff) || sequence === 0) told.push(child);
  }
  return told;
}

/**
 * No message of a person has a key like it, so a person cannot block a cancel by taking its key.
 */
export const PARENT_CANCEL_KEY = "parent:cancel";

/** Puts the cancel of a run that was handed to. Answers why it was refused, where it was. */
async function deliverCancel(
  { run }: RunProjection,
  { child }: OpenHandoff,
  inbox: Inbox,
): Promise<PutRefusal | undefined> {
  const message = { run: child, key: PARENT_CANCEL_KEY, kind: "cancel", body: { run } } as const;
  const answer = await inbox.put(message);
  return answer.kind === "refused" ? answer.reason : undefined;
}

/** Puts the start of another run. Answers why it never can be, where that is so. */
async function deliverStart(
  run: RunProjection,
  claim: OpenClaim,
  ports: StartPorts,
): Promise<string | undefined> {
  try {
    const start = await startMessage(run, claim, ports);
    const answer = start === undefined ? undefined : await putWithFiles(start, run.run, ports);
    // Another start under the same key is an earlier one, from a host that resolved the loop again.
    const isRefused = answer?.kind === "refused" && answer.reason !== "other-message";
    return isRefused ? answer.reason : undefined;
  } catch (error) {
    if (isFinalError(error)) return error.code;
    throw error;
  }
}

/**
 * Puts a start with copies of the files that its input names. Files may be large, and a start may
 * be put many times. They are copied only if the store can keep the start and does not have it yet.
 */
async function putWithFiles(
  start: InboxMessage,
  from: string,
  { stores, ids = randomIds }: DeliveryPorts,
): Promise<PutAnswer | undefined> {
  const { input = null } = start.body;
  if (listFiles(input, 1).length === 0) return stores.inbox.put(start);
  const rendered = renderBody(start);
  if (rendered.kind === "refused") return rendered;
  if (await hasStart(start.run, stores)) return undefined;
  const copied = await copyRunFiles(input, { from, to: start.run }, { stores, ids });
  return stores.inbox.put({ ...start, body: { ...start.body, input: copied } });
}

/** True for a run that has its start. An erased run has no key, and gets its start again. */
async function hasStart(run: string, { blobs, inbox, log }: Stores): Promise<boolean> {
  if ((await blobs.readKey(run)) === undefined) return false;
  return (await inbox.has(run, "start")) || (await log.readHead(run)) !== undefined;
}

/**
 * True if no store would ever keep the start, and none does: then there is no run that could
 * have spent anything.
 */
async function isNeverStarted(
  { child }: OpenHandoff,
  why: string,
  { log, inbox }: Stores,
): Promise<boolean> {
  if (why !== "too-large" && why !== "unreadable") return false;
  return (await log.readHead(child)) === undefined && !(await inbox.has(child, "start"));
}

/** Instead of the result: the first of the two is the end of the claim. */
function undeliveredMessage(
  run: string,
  { claim, hash, handoff }: OpenClaim,
  { why, isUnstarted }: { readonly why: string; readonly isUnstarted: boolean },
): InboxMessage {
  const child = handoff?.child ?? "";
  const unstarted = isUnstarted ? { unstarted: true } : {};
  const body = { child, claim, claimHash: hash, undelivered: why, ...unstarted };
  return { run, key: `result:${child}`, kind: "result", body };
}

interface StartPorts extends DeliveryPorts {
  readonly handoff: OpenHandoff;
}

/** The start of another run; undefined when its loop is not here, and another worker must do it. */
async function startMessage(
  parent: RunProjection,
  { claim, hash }: OpenClaim,
  { registry, stores, handoff }: StartPorts,
): Promise<InboxMessage | undefined> {
  const { child, loop, version, grant, bounds, input, before } = handoff;
  const checked = registry.resolve(loop, version ?? undefined);
  if (checked === undefined || parent.spec === null) return undefined;
  const { policy, starters: above = [] } = parent.spec;
  const { startedBy, trigger } = parent;
  // The person who set the turn going also counts as a starter of the run that it hands to.
  const starters = listStarters({ above, startedBy, trigger });
  const spec: RunSpec = {
    loop,
    version: checked.definition.version,
    pinned: pinReferences(registry, checked),
    grant,
    ...(policy === undefined ? {} : { policy }),
    bounds,
    ...(before === undefined ? {} : { committed: before }),
    ...(starters.length === 0 ? {} : { starters }),
    parent: { run: parent.run, turn: parent.openTurn?.turn ?? 0, sequence: claim, hash },
  };
  const content = await openContent(parent.run, stores);
  const rules = parent.policy === null ? undefined : await content.read(parent.policy);
  // A worker that has the loop names the thread, since another one may take the start in. A root
  // without a thread gets none.
  const threadName = nameThread(checked.definition, ROOT_PLACE);
  const thread =
    handoff.thread === undefined || threadName === undefined
      ? undefined
      : await readGivenText(handoff.thread, {
          content,
          readEvents: (from) => readEvents(stores.log, parent.run, from),
          isEnd: ({ sequence }) => sequence >= claim,
        });
  const body = {
    spec: spec as unknown as JsonObject,
    input: await content.read(input),
    ...(rules === undefined ? {} : { policy: rules }),
    ...(thread === undefined || threadName === undefined ? {} : { thread, threadName }),
  };
  return { run: child, key: "start", kind: "start", body };
}

/** The result that a stopped run sends to the run that started it. */
async function resultMessage(
  { run, spec, stopped, spending, lastTurn, turns }: RunProjection,
  { stores, ids = randomIds }: DeliveryPorts,
): Promise<InboxMessage | undefined> {
  const parent = spec?.parent;
  if (parent === undefined || stopped === null) return undefined;
  const receipt = await stores.receipts.read(run, turns);
  const isReached = stopped === "goal-reached";
  const given = isReached ? (lastTurn?.output ?? null) : null;
  const readGiven = async (reference: BlobRef): Promise<JsonValue> =>
    (await openContent(run, stores)).read(reference);
  const said = given === null ? undefined : await readIfThere(() => readGiven(given));
  const hasFiles = said !== undefined && listFiles(said, 1).length > 0;
  // If the result was delivered already, its files were, too.
  if (hasFiles && !(await isAwaited(run, parent.run, stores))) return undefined;
  const between = { from: run, to: parent.run };
  const output =
    said === undefined ? undefined : await copyRunFiles(said, between, { stores, ids });
  const body = {
    child: run,
    claim: parent.sequence,
    claimHash: parent.hash,
    stopped,
    spent: committed(spending),
    turns,
    ...(receipt === undefined ? {} : { receipt: receipt.id }),
    ...(output === undefined ? {} : { output }),
  };
  return { run: parent.run, key: `result:${run}`, kind: "result", body };
}

/** True while the run that handed to this one has not taken in what came of it. */
async function isAwaited(child: string, parent: string, stores: Stores): Promise<boolean> {
  const projection = await readRun(stores, parent);
  return projection !== undefined && listHandoffs(projection).some((one) => one.child === child);
}

/** Content that is erased is left out: the waiting run gets the rest. */
async function readIfThere(read: () => Promise<JsonValue>): Promise<JsonValue | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isFinalError(error)) return undefined;
    throw error;
  }
}

/** Opens the content of a run. Throws a final error after an erasure, which deletes the key. */
async function openContent(run: string, { blobs }: Stores): Promise<Content> {
  const key = await blobs.readKey(run);
  if (key === undefined)
    throw new LogError("LOG_CONTENT_MISSING", `the content of run ${run} was erased`);
  return createContent(run, key, blobs);
}
