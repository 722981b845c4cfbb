/**
 * What a run owes to others: the start of those that it hands to, a cancel that flows down, and its
 * result to the one that started it.
 *
 * All of it follows from the log, so that it can be delivered again whenever a delivery may have
 * been lost: a row that is there already is known, and nothing happens twice.
 */
import {
  type Content,
  createContent,
  nameThread,
  pinReferences,
  type Registry,
  ROOT_PLACE,
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
  committed,
  type JsonObject,
  type JsonValue,
  listStarters,
  type RunSpec,
} from "@turnseal/protocol";
import { listFiles } from "@turnseal/protocol/files";
import { copyRunFiles } from "../copy-run-files.ts";
import { isFinalError } from "../final-error.ts";
import { canStart } from "../projection/find-unstarted.ts";
import { listHandoffs } from "../projection/list-handoffs.ts";
import { readEvents } from "../projection/load-projection.ts";
import { readRun } from "../projection/read-run.ts";
import type { OpenClaim, OpenHandoff, RunProjection } from "../projection/run-projection.ts";

export interface DeliveryPorts {
  readonly stores: Stores;
  readonly registry: Registry;
  /** What a run that is handed to gets its key from, where it is given files. */
  readonly ids?: Ids;
}

/**
 * `told`: the run itself has something to take in. `owing`: something found no room, and is to be
 * put again.
 */
export type Delivery = "delivered" | "told" | "owing";

/** How long whoever owes something waits that found no room. */
export const OWING_PAUSE_MS = 1_000;

/**
 * Puts everything that the run owes into the inboxes of others. What can never be delivered is told
 * to the run itself, as the result of the run that was not started or cannot be cancelled.
 */
export async function deliver(run: RunProjection, ports: DeliveryPorts): Promise<Delivery> {
  const { inbox } = ports.stores;
  let [isTold, isOwing] = [false, false];
  for (const claim of run.openTurn?.open ?? []) {
    // What cannot be started here is left to another worker: nothing is owed to it.
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

/** True for a run that is to end: with the one that started it, or with the item that it is. */
function isCancelled(run: RunProjection, handoff: OpenHandoff): boolean {
  return run.isCancelled || handoff.isWithdrawn === true;
}

/**
 * The runs that have something new in their inbox: those that have not begun, and those that are to
 * end. Whoever has begun is carried by whoever it was told to.
 */
export async function listTold(
  run: RunProjection,
  { log }: Pick<Stores, "log">,
): Promise<readonly string[]> {
  const told: string[] = [];
  for (const handoff of listHandoffs(run)) {
    const { child } = handoff;
    // Whoever took it and was killed before the first event has not begun it.
    const sequence = (await log.readHead(child))?.sequence ?? 0;
    if (isCancelled(run, handoff) || sequence === 0) told.push(child);
  }
  return told;
}

/** No message of a person has a key like it: nobody can keep a cancel out by taking its key. */
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
    // Another start under the same key is an earlier one, of a host that resolved the loop anew.
    const isRefused = answer?.kind === "refused" && answer.reason !== "other-message";
    return isRefused ? answer.reason : undefined;
  } catch (error) {
    if (isFinalError(error)) return error.code;
    throw error;
  }
}

/**
 * Puts a start with copies of the files that its input names. They may be large, and whoever owes a
 * start looks again and again: they are copied for one that a store can keep and does not have yet.
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

/** True for a run that was told its start. One that was erased has no key, and is told of it. */
async function hasStart(run: string, { blobs, inbox, log }: Stores): Promise<boolean> {
  if ((await blobs.readKey(run)) === undefined) return false;
  return (await inbox.has(run, "start")) || (await log.readHead(run)) !== undefined;
}

/**
 * True where no store would ever keep the start, and none does: then there is no run that could
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

/** In the place of the result: whichever of the two is there first is the end of the claim. */
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
  // Whoever has set the turn going that hands to it has set this run going, too.
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
  // A worker that has the loop names the thread: one that has not may take the start in. A root
  // that keeps none is given nothing.
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

/** What a run that has stopped tells the one that started it. */
async function resultMessage(
  { run, spec, stopped, spending, lastTurn, turns }: RunProjection,
  { stores, ids = randomIds }: DeliveryPorts,
): Promise<InboxMessage | undefined> {
  const parent = spec?.parent;
  if (parent === undefined || stopped === null) return undefined;
  const receipt = await stores.receipts.read(run, turns);
  const isReached = stopped === "goal-reached";
  const { read } = await openContent(run, stores);
  const given = isReached ? (lastTurn?.output ?? null) : null;
  const said = given === null ? undefined : await readIfThere(() => read(given));
  const hasFiles = said !== undefined && listFiles(said, 1).length > 0;
  // Whoever was told has the files, too.
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

/** What is gone is not told: whoever waits for it hears the rest. */
async function readIfThere(read: () => Promise<JsonValue>): Promise<JsonValue | undefined> {
  try {
    return await read();
  } catch (error) {
    if (isFinalError(error)) return undefined;
    throw error;
  }
}

async function openContent(run: string, { blobs }: Stores): Promise<Content> {
  // Without a key the content was erased too: nothing is found under this one.
  const key = (await blobs.readKey(run)) ?? new Uint8Array(32);
  return createContent(run, key, blobs);
}
