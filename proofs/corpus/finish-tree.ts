/** Numbers, links, adds up, chains and seals drafts: what a kernel that errs could have written. */
import {
  type Amounts,
  addAmounts,
  areAmounts,
  committed,
  foldSpending,
  hashEvent,
  isPlainObject,
  type JsonObject,
  type JsonValue,
  NO_SPENDING,
  type RawEvent,
  type Spending,
} from "@turnseal/protocol";
import { buildStatement, type RunBundle } from "@turnseal/protocol/receipts";
import { createSeededSigner } from "../vectors/demo-signer.ts";
import { type MadeRun, signStatement } from "../vectors/seal-events.ts";
import { type Draft, FORGED, type Link, type RunDraft, type TreeDraft } from "./draft.ts";

export interface FinishOptions {
  /** Turns state the sums of their events, and not those of their drafts. */
  readonly restates: boolean;
}

const signer = createSeededSigner();
const unhashable = "0".repeat(64);

interface Work {
  readonly drafts: ReadonlyMap<string, RunDraft>;
  readonly options: FinishOptions;
  /** Every event that is finished, by the id of its draft. */
  readonly events: Map<string, RawEvent>;
  readonly runs: Map<string, OpenRun>;
}

interface OpenRun {
  readonly run: string;
  readonly events: RawEvent[];
  readonly receipts: string[];
  last: string | null;
  spending: Spending;
  /** The amounts that the runs above it had committed at the handoff. */
  above: Amounts;
}

/** The runs in their order, each with its events and receipts. */
export function finishTree(tree: TreeDraft, options: FinishOptions): MadeRun[] {
  const drafts = new Map(tree.map((run) => [run.run, run]));
  const work: Work = { drafts, options, events: new Map(), runs: new Map() };
  for (const { run } of tree) finishRun(run, work);
  return tree.flatMap(({ run }) => work.runs.get(run) ?? []).map(toBundle);
}

function toBundle({ run, events, receipts }: OpenRun): RunBundle & MadeRun {
  return { run, events, receipts };
}

function finishRun(run: string, work: Work): void {
  const draft = work.drafts.get(run);
  if (draft === undefined || work.runs.has(run)) return;
  const open: OpenRun = {
    run,
    events: [],
    receipts: [],
    last: null,
    spending: NO_SPENDING,
    above: {},
  };
  work.runs.set(run, open);
  for (const event of draft.events) {
    // A child ends before its parent tells of it.
    if (event.child !== undefined) finishRun(event.child, work);
    finishEvent(event, open, work);
  }
}

function finishEvent(draft: Draft, open: OpenRun, work: Work): void {
  const { id, type, at, actor, epoch, turn, call, parentCall } = draft;
  const { events } = open;
  const unhashed = {
    ...{ id, run: open.run, sequence: events.length + 1, epoch, type, at, actor },
    ...(turn === undefined ? {} : { turn }),
    ...(call === undefined ? {} : { call }),
    ...(parentCall === undefined ? {} : { parentCall }),
    content: finishContent(draft, open, work),
    previous: events.at(-1)?.hash ?? "",
  };
  const event = { ...unhashed, hash: attempt(() => hashEvent(unhashed)) ?? unhashable };
  events.push(event);
  work.events.set(id, event);
  const { reserve = {}, spent = {} } = event.content;
  if (areAmounts(reserve) && areAmounts(spent)) open.spending = foldSpending(open.spending, event);
  if (type === "turn.closed") sealTurn(open);
}

function sealTurn(open: OpenRun): void {
  const first = open.events.findLastIndex(({ type }) => type === "turn.started");
  if (first < 0) return;
  const made = attempt(() => signStatement(buildStatement(open.events.slice(first)), signer));
  if (made === undefined) return;
  open.receipts.push(made.text);
  open.last = made.id;
}

function finishContent(draft: Draft, open: OpenRun, work: Work): JsonObject {
  const isTotal = draft.type === "turn.started" || draft.type === "turn.closed";
  const child = draft.child === undefined ? undefined : work.runs.get(draft.child);
  const content: JsonObject = {
    ...draft.content,
    ...(isTotal && work.options.restates ? { spending: toJson(open.spending) } : {}),
    ...(draft.type === "turn.started" ? { previousReceipt: open.last } : {}),
    ...nameReceipt(draft, open),
    ...(child === undefined ? {} : tellOf(child, draft.content)),
    ...sumOf(draft, open),
  };
  const claim = work.events.get(draft.links?.["spec.parent"]?.of ?? "");
  const { committed: above } = claim?.content ?? {};
  const { spec } = content;
  if (above !== undefined && isPlainObject(spec) && !("committed" in spec)) {
    open.above = areAmounts(above) ? above : {};
    return linkContent(
      { ...content, spec: { ...spec, committed: above } as JsonObject },
      draft,
      work,
    );
  }
  return linkContent(content, draft, work);
}

/** The last receipt that a decision names, unless it was spoiled. */
function nameReceipt({ type, content }: Draft, { last }: OpenRun): JsonObject {
  const { receipt } = content;
  return type === "run.decided" && receipt !== FORGED ? { receipt: last } : {};
}

/** The committed amount that a handoff states, unless it was spoiled. */
function sumOf({ type, content }: Draft, { above, spending }: OpenRun): JsonObject {
  const { committed: stated } = content;
  if (type !== "action.claimed" || stated !== true) return {};
  return { committed: toJson(addAmounts(above, committed(spending))) };
}

function linkContent(content: JsonObject, draft: Draft, work: Work): JsonObject {
  return Object.entries(draft.links ?? {}).reduce((linked, [path, link]) => {
    const named = work.events.get(link.of);
    return named === undefined ? linked : write(linked, path.split("."), describe(named, link));
  }, content);
}

/** The message of an ended run to the run that started it; spoiled fields stay. */
function tellOf({ last, spending, events }: OpenRun, content: JsonObject): JsonObject {
  const spent = toJson(addAmounts(committed(spending), { handoffs: 1 }));
  const { outcome } = events.findLast(({ type }) => type === "turn.closed")?.content ?? {};
  return {
    ...(outcome === "completed" ? {} : { status: "failed" }),
    ...("receipt" in content || last === null ? {} : { receipt: last }),
    ...("spent" in content ? {} : { spent }),
  };
}

function describe(event: RawEvent, { as }: Link): JsonValue {
  const { run, turn = 0, sequence, hash, type, actor } = event;
  if (as === "sequence") return sequence;
  if (as === "hash") return hash;
  return as === "claim"
    ? { run, turn, sequence, hash }
    : { type, sequence, hash, by: { kind: actor.kind, id: actor.id } };
}

function write(
  object: JsonObject,
  [name = "", ...rest]: readonly string[],
  value: JsonValue,
): JsonObject {
  if (rest.length === 0) return { ...object, [name]: value };
  const inner = object[name];
  const isObject = typeof inner === "object" && inner !== null && !Array.isArray(inner);
  return isObject ? { ...object, [name]: write(inner as JsonObject, rest, value) } : object;
}

function toJson(value: Spending | object): JsonObject {
  return { ...value } as JsonObject;
}

/** Undefined for what has no canonical form. */
function attempt<Value>(make: () => Value): Value | undefined {
  try {
    return make();
  } catch {
    return undefined;
  }
}
