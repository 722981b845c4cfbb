/**
 * Runs whose fan-outs differ from their fixed list: made by the kernel, and the same with one thing
 * changed, as a kernel that errs, or a thief of a key, could make it.
 */
import { createLocalHost } from "@turnseal/host";
import { manualClock, memoryStores, seededIds } from "@turnseal/ports";
import type { ForEachNode, Grant, JsonObject, JsonValue, RawEvent } from "@turnseal/protocol";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { DEMO_KEY } from "@turnseal/protocol/receipts";
import { createSeededSigner } from "./demo-signer.ts";
import { readRun } from "./read-run.ts";
import { type Expected, type ReceiptVector, rejectVector } from "./receipt-vector.ts";
import { findSequence, type MadeRun, sealRun } from "./seal-events.ts";

export interface FannedRuns {
  /** Three items, each a call. */
  readonly plain: MadeRun;
  /** Three items, each a run of its own. */
  readonly spread: MadeRun;
  /** Two items; the second is not needed when the first has ended. */
  readonly race: MadeRun;
}

const anything = jsonSchema<JsonValue>(true);
const grant: Grant = {
  grantor: "alice",
  tools: ["local.pay"],
  handoffs: ["pay"],
  budget: { effects: 9, toolCalls: 9, turns: 9, handoffs: 9 },
};

export async function makeFannedRuns(): Promise<FannedRuns> {
  return {
    plain: await fanOut({ items: { const: ["a", "b", "c"] } }),
    spread: await fanOut({ items: { const: ["a", "b", "c"] }, spread: "runs" }),
    race: await fanOut({ items: { const: ["a", "b"] }, join: "any", concurrency: 1 }),
  };
}

async function fanOut(fields: Pick<ForEachNode, "items"> & Partial<ForEachNode>): Promise<MadeRun> {
  const clock = manualClock();
  const stores = memoryStores(clock);
  const pay = defineTool({
    ...{ id: "pay", version: "1.0.0", effect: "idempotent", build: "1" },
    input: anything,
    output: anything,
    run: (input) => input,
  });
  const body = { kind: "call", loopId: "pay", inputMapping: { at: "$.item" } } as const;
  const flow: ForEachNode = { kind: "forEach", max: 5, body, ...fields };
  const desk = {
    definition: {
      ...{ id: "desk", name: "desk", version: "1.0.0", kind: "composite" as const },
      ...{ inputSchema: true, outputSchema: true, composite: { flow } },
    },
    uses: [pay],
  };
  const signer = createSeededSigner();
  const ids = seededIds("items");
  const host = createLocalHost({ loops: [desk], stores, signer, clock, ids });
  const run = await host.start(desk, {}, { key: "fanned", grant });
  await host.drive(run);
  return readRun(stores, run);
}

/** The runs as they are, and what is found in them when they are not. */
export function breakItems({ plain, spread, race }: FannedRuns): ReceiptVector[] {
  return [
    accept("items-as-fixed", "Three items were fixed, and each has its end.", plain),
    accept("items-as-runs", "Three items were fixed, and each is a run with its end.", spread),
    accept("item-not-needed", "An item that was not needed was withdrawn.", race),
    ...leaveOpen({ plain, spread, race }),
    ...endWrongly({ plain, spread }),
    ...handWrongly(spread),
  ];
}

/** Calls that end before all of their items have. */
function leaveOpen({ plain, spread, race }: FannedRuns): ReceiptVector[] {
  return [
    reject(
      "items-fewer-than-fixed",
      "Five items were fixed, and three ended.",
      change(plain, "fanout.fixed", { items: 5 }),
      [35],
    ),
    reject(
      "items-never-closed",
      "No item has an end.",
      edit(plain, (events) => events.filter(({ type }) => type !== "item.closed")),
      [32],
    ),
    reject(
      "item-not-needed-and-not-closed",
      "An item that was not needed was not withdrawn.",
      edit(race, (events) => events.filter(({ content: { status } }) => status !== "withdrawn")),
      [17],
    ),
    reject(
      "runs-fewer-than-fixed",
      "Five items were fixed, and three runs were started.",
      change(spread, "fanout.fixed", { items: 5 }),
      [16],
    ),
    reject(
      "run-of-an-item-not-ended-in-a-failed-call",
      "Five items were fixed, three runs were started, and the call failed.",
      edit(change(spread, "fanout.fixed", { items: 5 }), failCall),
      [15],
    ),
  ];
}

/** Items that end too early, or twice. */
function endWrongly({ plain, spread }: Omit<FannedRuns, "race">): ReceiptVector[] {
  return [
    reject(
      "item-closed-before-its-call",
      "An item is closed as ok before what its call claims is settled.",
      edit(plain, (events) => {
        const closed = findSequence(events, "item.closed");
        const settled = findSequence(events, "action.settled");
        const others = events.toSpliced(closed - 1, 1);
        return others.toSpliced(settled - 1, 0, eventAt(events, closed));
      }),
      [19],
    ),
    reject(
      "run-settled-and-item-closed",
      "The run of an item has ended, and the item is closed as well.",
      edit(spread, (events) => {
        const resumed = findSequence(events, "turn.resumed");
        return events.toSpliced(resumed, 0, closing(events, resumed, "ok"));
      }),
      [15],
    ),
    reject(
      "run-settled-and-item-withdrawn",
      "The run of an item has ended, and the item is withdrawn after that.",
      edit(spread, (events) => {
        const resumed = findSequence(events, "turn.resumed");
        return events.toSpliced(resumed, 0, closing(events, resumed, "withdrawn"));
      }),
      [15],
    ),
    reject(
      "item-closed-while-its-run-goes-on",
      "An item is closed as ok, and its run ends after that.",
      edit(spread, (events) => {
        const settled = findSequence(events, "action.settled");
        return events.toSpliced(settled - 1, 0, closing(events, settled - 1, "ok"));
      }),
      [11],
    ),
  ];
}

/** Runs that are started for items which are none, or with more than they may have. */
function handWrongly(spread: MadeRun): ReceiptVector[] {
  const share = { effects: 1, toolCalls: 1, turns: 1, handoffs: 1 };
  return [
    reject(
      "runs-of-no-list",
      "Runs are started for the items of a list that was never fixed.",
      edit(spread, (events) => events.filter(({ type }) => type !== "fanout.fixed")),
      [6, 7, 8],
    ),
    reject(
      "runs-beyond-the-list",
      "One item was fixed, and runs are started for three.",
      change(spread, "fanout.fixed", { items: 1 }),
      [8, 9],
    ),
    reject(
      "runs-of-one-item",
      "All three runs are started for the first item.",
      edit(spread, (events) =>
        events.map((event) =>
          event.type === "action.claimed" ? withContent(event, { item: firstItem(event) }) : event,
        ),
      ),
      [8, 9, 16],
    ),
    reject(
      "run-of-a-withdrawn-item",
      "An item is withdrawn, and then its run is started.",
      edit(spread, (events) => {
        const fixed = findSequence(events, "fanout.fixed");
        return events.toSpliced(fixed, 0, closing(events, fixed, "withdrawn"));
      }),
      [8],
    ),
    reject(
      "runs-without-a-share",
      "Runs are started for items of a list that was fixed without a share.",
      edit(spread, (events) =>
        events.map((event) => {
          const { share: _, ...content } = event.content;
          return event.type === "fanout.fixed" ? { ...event, content } : event;
        }),
      ),
      [7, 8, 9, 16],
    ),
    rejectVector(
      "runs-with-more-than-their-share",
      "Each run is given more than was fixed as its share.",
      { keys: [DEMO_KEY], bundle: change(spread, "fanout.fixed", { share }) },
      [7, 8, 9].map((sequence) => ({ code: "GRANT_WIDENED", sequence, turn: 1 })),
    ),
  ];
}

function firstItem({ content: { item } }: RawEvent): JsonObject {
  return { ...(item as JsonObject), index: 0 };
}

/** The end of the first item, as its kernel would say it after an event. */
function closing(events: readonly RawEvent[], after: number, status: string): RawEvent {
  const fixed = eventAt(events, findSequence(events, "fanout.fixed"));
  const { epoch, at } = eventAt(events, after);
  const content = { path: "/flow", index: 0, status };
  return { ...fixed, epoch, at, type: "item.closed", content };
}

function failCall(events: readonly RawEvent[]): RawEvent[] {
  const error = {
    code: "CHILD_FAILED",
    message: "item 3 failed",
    details: { lsr: "EXECUTION_FAILED" },
  };
  return events
    .filter(({ type }) => type !== "call.output.validated")
    .map((event) => {
      if (event.type === "call.completed")
        return { ...event, type: "call.errored", content: error };
      if (event.type !== "turn.closed") return event;
      const { output: _, ...content } = event.content;
      return { ...event, content: { ...content, outcome: "failed", reason: "CHILD_FAILED" } };
    });
}

function change(run: MadeRun, type: string, content: JsonObject): MadeRun {
  return edit(run, (events) =>
    events.map((event) => (event.type === type ? withContent(event, content) : event)),
  );
}

function withContent(event: RawEvent, content: JsonObject): RawEvent {
  return { ...event, content: { ...event.content, ...content } };
}

/** Numbers inside contents are moved along, so that the run has the one fault and no other. */
function edit(run: MadeRun, change: (events: readonly RawEvent[]) => readonly RawEvent[]): MadeRun {
  const edited = change(run.events);
  const moved = new Map(
    edited.flatMap(({ type, sequence }, at) =>
      type === "action.claimed" ? [[sequence, at + 1]] : [],
    ),
  );
  const events = edited.map((event) => {
    const { claim } = event.content;
    return typeof claim === "number"
      ? withContent(event, { claim: moved.get(claim) ?? claim })
      : event;
  });
  return sealRun({ ...run, events });
}

function eventAt(events: readonly RawEvent[], sequence: number): RawEvent {
  const found = events[sequence - 1];
  if (found === undefined) throw new Error(`there is no event ${sequence}`);
  return found;
}

function accept(name: string, description: string, bundle: MadeRun): ReceiptVector {
  const input = { keys: [DEMO_KEY], bundle };
  return { name, description, input, expect: { verdict: "valid", valid: true, findings: [] } };
}

function reject(
  name: string,
  description: string,
  bundle: MadeRun,
  sequences: readonly number[],
): ReceiptVector {
  const findings: Expected = sequences.map((sequence) => ({
    ...{ code: "TURN_ORDER", turn: 1 },
    sequence,
  }));
  return rejectVector(name, description, { keys: [DEMO_KEY], bundle }, findings);
}
