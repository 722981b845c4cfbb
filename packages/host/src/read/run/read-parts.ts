/**
 * Reads the results of the parts of the flow of a run's latest turn: the items of its fan-outs, and
 * its other nodes that call a loop. They include the reasons of failures and the outputs, so that a
 * turn which a budget ended loses nothing.
 *
 * The words are foreign, and must be shown as such.
 */

import type { RunProjection } from "@turnseal/folds";
import { labelItem } from "@turnseal/kernel";
import type { Stores } from "@turnseal/ports";
import {
  type BlobRef,
  type EventOf,
  type ItemStatus,
  isClaimOf,
  isPlainObject,
  type JsonValue,
  type LoopEvent,
} from "@turnseal/protocol";
import { readEvents } from "../../state/load-projection.ts";
import { readContent } from "../../state/read-content.ts";

export interface FlowPart {
  /** Where the node, or the fan-out of the item, stands in the flow. */
  readonly path: string;
  /** Of an item, from zero. */
  readonly index?: number;
  /** Its name for people: the label of the item, or the id of the loop that is called. */
  readonly label?: string;
  readonly status: ItemStatus | "open";
  /** Why it failed, and in whose words. */
  readonly code?: string;
  readonly reason?: string;
  /** The output of its last action, if that ended well. */
  readonly output?: JsonValue;
}

/** The most parts that are listed; and the latest events of the run that are searched for them. */
export const PARTS_MAX = 1_000;
export const PART_EVENTS_MAX = 50_000;

interface Draft {
  readonly path: string;
  readonly index?: number;
  readonly list?: BlobRef;
  loop?: string;
  status: FlowPart["status"];
  code?: string;
  gave?: { readonly action: string; readonly result: BlobRef };
  reason?: BlobRef;
}

export interface PartsToRead {
  readonly most?: number;
  readonly withOutputs?: boolean;
}

/** The parts, in the order in which they began. Content that was erased is left out. */
export async function readParts(
  stores: Pick<Stores, "log" | "blobs">,
  { run, sequence }: Pick<RunProjection, "run" | "sequence">,
  { most = PARTS_MAX, withOutputs = true }: PartsToRead = {},
): Promise<readonly FlowPart[]> {
  let drafts = followParts();
  for await (const event of readEvents(stores.log, run, Math.max(1, sequence - PART_EVENTS_MAX))) {
    if (event.type === "turn.started") drafts = followParts();
    drafts.take(event);
  }
  const lists = new Map<string, JsonValue | undefined>();
  const read = (reference: BlobRef | undefined): Promise<JsonValue | undefined> =>
    reference === undefined ? Promise.resolve(undefined) : readContent(stores, run, reference);
  const parts: FlowPart[] = [];
  for (const { gave, ...draft } of drafts.list().slice(0, most)) {
    const { list } = draft;
    if (list !== undefined && !lists.has(list.digest)) lists.set(list.digest, await read(list));
    const items = list === undefined ? undefined : lists.get(list.digest);
    const wanted = gave !== undefined && withOutputs ? { gave } : {};
    parts.push(await toPart({ ...draft, ...wanted }, { items, read }));
  }
  return parts;
}

interface PartContent {
  readonly items: JsonValue | undefined;
  read(reference: BlobRef | undefined): Promise<JsonValue | undefined>;
}

async function toPart(draft: Draft, { items, read }: PartContent): Promise<FlowPart> {
  const { path, index, loop, status, code, gave } = draft;
  const item = Array.isArray(items) && index !== undefined ? items[index] : undefined;
  const label = item === undefined ? loop : labelItem(item as JsonValue);
  const reason = status === "error" ? await read(draft.reason) : undefined;
  const output = status === "ok" ? await read(gave?.result) : undefined;
  return {
    path,
    ...(index === undefined ? {} : { index }),
    ...(label === undefined ? {} : { label }),
    status,
    ...(code === undefined ? {} : { code }),
    ...(typeof reason === "string" ? { reason } : {}),
    ...(output === undefined ? {} : { output: gave?.action === "model" ? saidIn(output) : output }),
  };
}

/** The words of a model, without its thoughts. */
function saidIn(content: JsonValue): JsonValue {
  const parts = Array.isArray(content) ? content : [];
  const texts = parts.flatMap((part) =>
    isPlainObject(part) && part["kind"] === "text" ? [String(part["text"])] : [],
  );
  return texts.join("");
}

function followParts() {
  const parts = new Map<string, Draft>();
  const fanOuts: { readonly path: string; readonly list?: BlobRef }[] = [];
  /** The part that a call, or the key of an action, belongs to. */
  const owners = new Map<string, Draft>();
  let root: string | undefined;
  const open = (key: string, draft: Draft): Draft | undefined => {
    const known = parts.get(key);
    if (known === undefined && parts.size < PARTS_MAX) parts.set(key, draft);
    return known ?? parts.get(key);
  };
  const placeAt = (path: string, loop: string): Draft | undefined => {
    const around = fanOuts.findLast((each) => itemOf(each.path, path) !== undefined);
    const index = around === undefined ? undefined : itemOf(around.path, path);
    if (around === undefined || index === undefined)
      return open(path, { path, loop, status: "open" });
    const draft = parts.get(nameItem(around.path, index));
    if (draft !== undefined) draft.loop ??= loop;
    return draft;
  };
  const fix = ({ content: { path, items, list } }: EventOf<"fanout.fixed">): void => {
    const facts = { path, ...(list === undefined ? {} : { list }) };
    fanOuts.push(facts);
    for (let index = 0; index < items && index < PARTS_MAX; index++)
      open(nameItem(path, index), { ...facts, index, status: "open" });
  };
  const own = (name: string, draft: Draft | undefined): void => {
    if (draft !== undefined) owners.set(name, draft);
  };
  const end = (event: EventOf<"call.completed" | "call.errored">): void => {
    const draft = owners.get(event.call);
    // An item has an end event of its own.
    if (draft === undefined || draft.index !== undefined || event.parentCall !== root) return;
    draft.status = event.type === "call.completed" ? "ok" : "error";
    if (event.type === "call.errored") draft.code = event.content.code;
  };
  const close = ({ content }: EventOf<"item.closed">): void => {
    const draft = parts.get(nameItem(content.path, content.index));
    if (draft === undefined) return;
    draft.status = content.status;
    if (content.code !== undefined) draft.code = content.code;
  };
  const takeRoot = (event: LoopEvent): void => {
    if (event.type === "fanout.fixed") fix(event);
    if (event.type === "child.started" && event.content.path !== undefined)
      own(event.content.child, placeAt(event.content.path, event.content.loop));
    if (event.type === "item.closed") close(event);
    if (!isClaimOf("handoff", event) || event.content.item === undefined) return;
    const { path, index } = event.content.item;
    own(event.content.key, parts.get(nameItem(path, index)));
  };
  const take = (event: LoopEvent): void => {
    if (event.type === "call.started" && event.parentCall === undefined) root ??= event.call;
    if (event.type === "call.started" && event.parentCall !== undefined)
      own(event.call, owners.get(event.call) ?? owners.get(event.parentCall));
    if (event.type === "action.settled") settlePart(owners, event);
    if (event.type === "call.completed" || event.type === "call.errored") end(event);
    if (event.call === root) takeRoot(event);
  };
  return { take, list: (): readonly Draft[] => [...parts.values()] };
}

/** Notes the result of an action, or why it failed. The end of a run is the end of its item. */
function settlePart(
  owners: ReadonlyMap<string, Draft>,
  { content, call = "" }: EventOf<"action.settled">,
): void {
  const item = owners.get(content.key);
  const draft = item ?? owners.get(call);
  if (draft === undefined) return;
  const isOk = content.status === "ok";
  if (!isOk && content.reason !== undefined) draft.reason = content.reason;
  if (isOk && content.result !== undefined)
    draft.gave = { action: content.action, result: content.result };
  if (item === undefined) return;
  draft.status = isOk ? "ok" : "error";
  if (!isOk) draft.code = "CHILD_FAILED";
}

function nameItem(path: string, index: number): string {
  return `${path} ${index}`;
}

/** The item of a fan-out that a path is in. */
function itemOf(fanOut: string, path: string): number | undefined {
  if (!path.startsWith(`${fanOut}/`)) return undefined;
  const found = /^\/(?:items|branches)\/(\d+)(?:$|\/)/.exec(path.slice(fanOut.length));
  return found?.[1] === undefined ? undefined : Number(found[1]);
}
