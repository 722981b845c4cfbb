/**
 * A run with a cap for each day that pays and hands to a run that pays; and the same with one thing
 * changed in what the two are as one sum (spec/run.md §10.8).
 */
import { createLocalHost } from "@turnseal/host";
import { manualClock, memoryStores, seededIds } from "@turnseal/ports";
import {
  digestOf,
  foldSpending,
  type Grant,
  isPlainObject,
  type JsonObject,
  type JsonValue,
  type LoopDef,
  NO_SPENDING,
  type RawEvent,
} from "@turnseal/protocol";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { DEMO_KEY } from "@turnseal/protocol/receipts";
import { createSeededSigner } from "./demo-signer.ts";
import { receiptIdOf } from "./family.ts";
import { readRun } from "./read-run.ts";
import { type Expected, type ReceiptVector, rejectVector } from "./receipt-vector.ts";
import { chainEvents, findSequence, type MadeRun, sealRun } from "./seal-events.ts";

const keys = [DEMO_KEY];
const CENTS = "payments.cents";
const TODAY = "2026-01-01";
const TOMORROW = "2026-01-02";
const anything = jsonSchema<JsonValue>(true);
const grant: Grant = {
  ...{ grantor: "alice", tools: ["local.pay"], handoffs: ["pay"], budget: {} },
  perPeriod: { day: { [CENTS]: 1_000 } },
};

export interface FamilyRuns {
  readonly parent: MadeRun;
  readonly child: MadeRun;
}

/** It pays 300 before and 300 after it hands on; the run that it hands to may spend 400 more. */
export async function makeFamilyRuns(): Promise<FamilyRuns> {
  const clock = manualClock(Date.parse(`${TODAY}T10:00:00.000Z`));
  const stores = memoryStores(clock);
  const pay = defineTool({
    ...{ id: "pay", version: "1.0.0", implementation: "local.pay", effect: "once", build: "1" },
    ...{ input: anything, output: anything },
    needs: () => ({ amounts: { [CENTS]: 300 } }),
    run: () => ({ paid: true }),
  });
  const head = { version: "1.0.0", inputSchema: true, outputSchema: true } as const;
  const slice = { tools: ["local.pay"], budget: { [CENTS]: 400 } };
  const config = { loop: "pay", grant: slice };
  const hand: LoopDef = {
    ...{ ...head, id: "hand", name: "hand", kind: "tool" },
    tool: { implementation: "turnseal.handoff", config },
  };
  const call = (loopId: string) => ({ kind: "call", loopId, inputMapping: {} }) as const;
  const beside = { kind: "parallel", branches: [call("hand"), call("pay")] } as const;
  const flow = { kind: "sequence", nodes: [call("pay"), beside] } as const;
  const name = "both";
  const both: LoopDef = { ...head, id: name, name, kind: "composite", composite: { flow } };
  const loops = [pay, { definition: hand }, { definition: both }];
  const ids = seededIds("family");
  const host = createLocalHost({ loops, stores, signer: createSeededSigner(), clock, ids });
  const run = await host.start({ definition: both }, {}, { key: "family", grant });
  await host.drive(run);
  const parent = await readRun(stores, run);
  const claim = claimOf(parent);
  const { child } = claim.content;
  return { parent, child: await readRun(stores, String(child)) };
}

/** The cases of the specification. */
export function listFamilyVectors(family: FamilyRuns): ReceiptVector[] {
  const { parent } = family;
  const claim = claimOf(parent);
  const { grant: slice } = claim.content;
  const uncapped = { ...(slice as JsonObject), budget: {} };
  const at = { turn: 1, sequence: claim.sequence };
  const miscounted: Expected = [{ code: "BUDGET_ARITHMETIC", ...at }];
  const otherwise = (content: JsonObject, spec: JsonObject = {}): MadeRun[] =>
    change(family, { claim: content, spec });
  const tree = (name: string, description: string, runs: MadeRun[]): ReceiptVector => {
    const expect = { verdict: "valid", valid: true, findings: [] } as const;
    return { name, description, input: { keys, tree: runs }, expect };
  };
  const reject = (name: string, description: string, runs: MadeRun[], found: Expected) =>
    rejectVector(name, description, { keys, tree: runs }, found);
  const without = { grant: uncapped, slice: digestOf(uncapped), reserve: { handoffs: 1 } };
  return [
    tree("family-is-one-sum", "A run is handed a part of what is left of the day.", otherwise({})),
    reject(
      "family-without-a-cap",
      "A run is handed no cap on what its parent has a cap for in each day.",
      otherwise(without),
      [{ code: "GRANT_WIDENED", ...at }],
    ),
    reject(
      "family-cap-not-reserved",
      "What a run is handed of the day is not reserved.",
      otherwise({ reserve: { handoffs: 1 } }),
      [{ code: "GRANT_WIDENED", ...at }],
    ),
    reject(
      "family-sum-too-small",
      "A handoff says that nothing was committed before it.",
      otherwise({ committed: {} }, { committed: {} }),
      miscounted,
    ),
    reject(
      "family-sum-left-out",
      "A handoff does not say what was committed before it.",
      otherwise({ committed: null }, { committed: null }),
      miscounted,
    ),
    reject(
      "family-sum-other-below",
      "A run begins with another sum than its parent handed it.",
      otherwise({}, { committed: {} }),
      [{ code: "CHILD_MISMATCH", sequence: 1 }],
    ),
    ...carry(family),
    tree(
      "family-of-older-semantics",
      "Turns of older semantics are judged by their own rules.",
      change(family, {
        claim: { ...without, committed: null },
        spec: { committed: null },
        turn: { semantics: 4 },
      }),
    ),
  ];
}

/** Of the day after: what was reserved the day before for a run that is open counts in it. */
function carry(family: FamilyRuns): ReceiptVector[] {
  const { parent } = family;
  const paid = findSequence(parent.events, "action.claimed", 3);
  const expect = { verdict: "valid", valid: true, findings: [] } as const;
  const runs = (cents: number, more: Partial<Changes> = {}): MadeRun[] =>
    change(family, { later: { from: paid, cents }, ...more });
  const older = { claim: { committed: null }, spec: { committed: null }, turn: { semantics: 4 } };
  return [
    {
      name: "family-across-midnight",
      description: "On the next day there is room beside what an open run was handed.",
      input: { keys, tree: runs(600) },
      expect,
    },
    rejectVector(
      "family-passes-the-next-day",
      "On the next day a claim passes the cap with what an open run was handed the day before.",
      { keys, tree: runs(601) },
      [{ code: "BUDGET_EXCEEDED", turn: 1, sequence: paid }],
    ),
    {
      name: "family-passes-the-next-day-of-older-semantics",
      description: "By older semantics it did not count on the next day.",
      input: { keys, tree: runs(601, older) },
      expect,
    },
  ];
}

interface Changes {
  readonly claim: JsonObject;
  readonly spec: JsonObject;
  readonly turn: JsonObject;
  /** From this event on it is the next day, and that claim is of so many cents. */
  readonly later: { readonly from: number; readonly cents: number };
}

/** Both runs with other contents, added up and sealed again. A field that is null is taken out. */
function change({ parent, child }: FamilyRuns, changes: Partial<Changes>): MadeRun[] {
  const { claim = {}, turn = {}, spec = {}, later } = changes;
  const { sequence } = claimOf(parent);
  const turned = editRun(parent.events, (event) => {
    if (event.sequence === sequence) return claim;
    return event.type === "turn.started" ? turn : {};
  });
  const moved = later === undefined ? turned : moveOn(turned, later);
  const reserve = claim["reserve"];
  const events = chainEvents(
    addUp(editRun(moved, ({ content }) => (nameOf(content) === sequence ? { reserve } : {}))),
  );
  const { hash = "" } = events[sequence - 1] ?? {};
  const named = { parent: { run: parent.run, turn: 1, sequence, hash } };
  const below = editRun(child.events, ({ type, content }) => {
    if (type === "turn.started") return { ...turn, ...named };
    const { spec: given } = content;
    return isPlainObject(given) ? { spec: edit(given as JsonObject, { ...named, ...spec }) } : {};
  });
  const sealed = sealRun({ ...child, events: addUp(below) });
  const receipt = receiptIdOf(sealed.receipts.at(-1) ?? "");
  const counted = editRun(events, ({ content }) =>
    nameOf(content) === sequence ? { receipt } : {},
  );
  return [sealRun({ ...parent, events: counted }), sealed];
}

function moveOn(events: readonly RawEvent[], { from, cents }: Changes["later"]): RawEvent[] {
  const reserve = { toolCalls: 1, effects: 1, [CENTS]: cents };
  const periods = { day: TOMORROW };
  const isOf = ({ sequence, content }: RawEvent): boolean =>
    sequence === from || nameOf(content) === from;
  return editRun(events, (event) => {
    if (!isOf(event)) return {};
    return { reserve, periods, ...(event.type === "action.settled" ? { spent: reserve } : {}) };
  }).map((event) => {
    const at = event.at.replace(TODAY, TOMORROW);
    return event.sequence < from ? event : { ...event, at };
  });
}

function claimOf({ events }: MadeRun): RawEvent {
  const found = events.find(
    ({ type, content: { action } }) => type === "action.claimed" && action === "handoff",
  );
  if (found === undefined) throw new Error("nothing was handed on");
  return found;
}

/** The claim that an end names. */
function nameOf({ claim }: JsonObject): JsonValue | undefined {
  return claim;
}

function editRun(
  events: readonly RawEvent[],
  changes: (event: RawEvent) => Record<string, JsonValue | undefined>,
): RawEvent[] {
  return events.map((event) => ({ ...event, content: edit(event.content, changes(event)) }));
}

function edit(content: JsonObject, changes: Record<string, JsonValue | undefined>): JsonObject {
  const changed = Object.entries(changes).filter(([, value]) => value !== undefined);
  const dropped = changed.flatMap(([name, value]) => (value === null ? [name] : []));
  const entries = Object.entries({ ...content, ...Object.fromEntries(changed) });
  return Object.fromEntries(entries.filter(([name]) => !dropped.includes(name))) as JsonObject;
}

/** Turns state the sums of their events. */
function addUp(events: readonly RawEvent[]): RawEvent[] {
  let spending = NO_SPENDING;
  return events.map((event) => {
    const isTotal = event.type === "turn.started" || event.type === "turn.closed";
    const stated = isTotal ? { spending: spending as unknown as JsonValue } : {};
    const counted = { ...event, content: { ...event.content, ...stated } };
    spending = foldSpending(spending, counted);
    return counted;
  });
}
