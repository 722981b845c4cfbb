/**
 * A run that hands to another, made by the kernel; and the same with one thing changed in it, as a
 * host that lies, or a thief of a key, could make it.
 */

import { createLocalHost } from "@turnseal/host";
import { manualClock, memoryStores, seededIds } from "@turnseal/ports";
import type { Grant, JsonObject, JsonValue, RawEvent } from "@turnseal/protocol";
import { defineTool, jsonSchema } from "@turnseal/protocol/authoring";
import { DEMO_KEY, toBase64 } from "@turnseal/protocol/receipts";
import { createSeededSigner } from "./demo-signer.ts";
import { receiptIdOf } from "./family.ts";
import { readRun } from "./read-run.ts";
import { type Expected, type ReceiptVector, rejectVector } from "./receipt-vector.ts";
import { chainEvents, editEvent, findSequence, type MadeRun, sealRun } from "./seal-events.ts";

const keys = [DEMO_KEY];

export interface HandedRuns {
  readonly parent: MadeRun;
  readonly child: MadeRun;
}

const slice = { tools: ["local.pay"], budget: { effects: 2, toolCalls: 4, turns: 3, handoffs: 0 } };
const grant: Grant = {
  ...{ grantor: "alice", tools: ["local.pay"], handoffs: ["worker"] },
  budget: { effects: 5, toolCalls: 20, turns: 20, handoffs: 5 },
};
const otherContent = {
  content: {
    key: toBase64(new Uint8Array(32)),
    blobs: { [`hmac-sha256:${"0".repeat(64)}`]: "AA==" },
  },
};
const anything = jsonSchema<JsonValue>(true);

/** Two turns of the child; the parent counts the second. */
export async function makeHandedRuns(): Promise<HandedRuns> {
  const clock = manualClock();
  const stores = memoryStores(clock);
  let calls = 0;
  const worker = defineTool({
    ...{ id: "worker", version: "1.0.0", implementation: "local.pay" },
    ...{ effect: "idempotent", build: "1" },
    input: anything,
    output: anything,
    run: () => ({ paid: ++calls }),
  });
  const bounds = { goal: { path: "$.output.paid", atLeast: 2 }, turnsMax: 3 };
  const delegate = defineTool({
    ...{ id: "delegate", version: "1.0.0", implementation: "turnseal.handoff" },
    config: { loop: "worker", grant: slice, bounds },
    input: anything,
    output: anything,
    run: () => null,
  });
  const signer = createSeededSigner();
  const ids = seededIds("trees");
  const host = createLocalHost({ loops: [worker, delegate], stores, signer, clock, ids });
  const run = await host.start(delegate, { order: "A-1" }, { key: "handed", grant });
  await host.drive(run);
  const parent = await readRun(stores, run);
  const claim = parent.events[findSequence(parent.events, "action.claimed") - 1];
  const { child } = claim?.content ?? {};
  return { parent, child: await readRun(stores, String(child)) };
}

/** The trees of the specification: what is valid, what is open, and what is found out. */
export function listHandoffVectors(handed: HandedRuns): ReceiptVector[] {
  const { parent, child } = handed;
  const settled = findSequence(parent.events, "action.settled");
  const claim = findSequence(parent.events, "action.claimed");
  return [
    {
      name: "handed-and-counted",
      description: "A run that was handed to, held against its slice and its last receipt.",
      input: { keys, tree: [parent, child] },
      expect: { verdict: "valid", valid: true, findings: [] },
    },
    reject(
      "handed-and-hidden",
      "The run that was handed to is not in the tree.",
      [parent],
      [
        { code: "SET_MISSING", turn: 1 },
        { code: "CHILD_MISSING", turn: 1, sequence: claim },
      ],
    ),
    reject(
      "handed-without-receipt",
      "The result is told without the receipt that vouches for it.",
      [hideReceipt(parent, settled), child],
      [
        { code: "HANDOFF_UNSEALED", turn: 1, sequence: settled },
        { code: "HANDOFF_UNSEALED", turn: 1 },
      ],
    ),
    reject(
      "handed-without-receipt-and-hidden",
      "Neither the run nor a receipt of it is there.",
      [hideReceipt(parent, settled)],
      [
        { code: "HANDOFF_UNSEALED", turn: 1, sequence: settled },
        { code: "HANDOFF_UNSEALED", turn: 1 },
        { code: "CHILD_MISSING", turn: 1, sequence: claim },
      ],
    ),
    reject(
      "counted-less-than-spent",
      "The parent counts less than the receipt of the run says.",
      [reseal(parent, settled, { spent: { handoffs: 1 } }, totals({ handoffs: 1 })), child],
      [{ code: "BUDGET_ARITHMETIC", turn: 1, sequence: settled }],
    ),
    reject(
      "counted-before-the-end",
      "The parent counts a receipt after which the run went on.",
      [reseal(parent, settled, { receipt: receiptIdOf(child.receipts[0] ?? "") }), child],
      [{ code: "CHILD_MISMATCH", turn: 1, sequence: settled }],
    ),
    reject(
      "run-twice-in-the-tree",
      "A run is in the list twice.",
      [parent, child, child],
      [{ code: "SET_DUPLICATE" }],
    ),
    reject(
      "handed-with-other-content",
      "What is shown as content of the run is not what its digest names.",
      [parent, { ...child, ...otherContent }],
      [{ code: "CONTENT_MISMATCH" }],
    ),
    ...leaveOpen(handed),
    ...widen(handed),
    disguise(handed),
  ];
}

/** Trees whose first turn is open. */
function leaveOpen({ parent, child }: HandedRuns): ReceiptVector[] {
  const open = cutAfter(parent, findSequence(parent.events, "action.claimed"));
  return [
    reject(
      "handed-in-an-open-turn",
      "The turn that handed to the run is the first and is open: nothing of its run is sealed.",
      [open, child],
      [{ code: "RUN_UNSEALED", turn: 1, sequence: findSequence(parent.events, "turn.started") }],
    ),
    reject(
      "handed-and-not-there-yet",
      "A run that is handed to in an open turn need not be there.",
      [open],
      [
        { code: "RUN_UNSEALED", turn: 1, sequence: findSequence(parent.events, "turn.started") },
        { code: "SET_MISSING" },
      ],
    ),
  ];
}

/** Children that were started otherwise than their parents claimed. */
function widen({ parent, child }: HandedRuns): ReceiptVector[] {
  const { spec } = (child.events[0]?.content ?? {}) as { spec: JsonObject };
  const given = spec["grant"] as JsonObject;
  const start = (fields: JsonObject): MadeRun[] => startOtherwise({ parent, child }, fields);
  const grantOf = (fields: JsonObject): MadeRun[] => start({ grant: { ...given, ...fields } });
  const widened: Expected = [{ code: "GRANT_WIDENED", sequence: 1 }];
  const mismatch: Expected = [{ code: "CHILD_MISMATCH", sequence: 1 }];
  const budget = given["budget"] as JsonObject;
  const stranger = { ...(spec["parent"] as JsonObject), hash: "0".repeat(64) };
  return [
    reject(
      "handed-tool-more",
      "The run has a tool that was not handed to it.",
      grantOf({ tools: ["local.pay", "local.fly"] }),
      widened,
    ),
    reject(
      "handed-in-another-name",
      "The run's grant is given by somebody else than what was handed to it.",
      grantOf({ grantor: "mallory" }),
      widened,
    ),
    reject("handed-every-scope", "The run has every scope.", grantOf({ scopes: ["*"] }), widened),
    reject("handed-no-cap", "The run has no caps.", grantOf({ budget: {} }), widened),
    reject(
      "handed-larger-cap",
      "The run may have one effect more.",
      grantOf({ budget: { ...budget, effects: 3 } }),
      widened,
    ),
    reject("handed-more-levels", "The run may hand on once more.", grantOf({ depth: 3 }), widened),
    reject(
      "handed-under-other-rules",
      "The run is under rules that its parent is not under.",
      start({ policy: { name: "other", digest: `sha256:${"1".repeat(64)}` } }),
      mismatch,
    ),
    reject(
      "handed-to-another-loop",
      "The run is of another loop than was handed to.",
      start({ loop: "other" }),
      mismatch,
    ),
    reject(
      "handed-by-another-claim",
      "The run says that another claim started it than its receipts say.",
      start({ parent: stranger }),
      [
        { code: "TRIGGER_MISMATCH", turn: 1, sequence: findSequence(child.events, "turn.started") },
        {
          ...{ code: "TRIGGER_MISMATCH", turn: 2 },
          sequence: findSequence(child.events, "turn.started", 2),
        },
        { code: "SET_PARENT_MISMATCH", sequence: 1 },
      ],
    ),
    reject(
      "handed-by-another-starter",
      "The run says that somebody set it going who did not start its parent.",
      start({ starters: ["mallory"] }),
      [{ code: "SET_PARENT_MISMATCH", sequence: 1 }],
    ),
  ];
}

/** The child started with other fields, and sealed again; its parent counts its new receipt. */
function startOtherwise({ parent, child }: HandedRuns, fields: JsonObject): MadeRun[] {
  const { spec: before } = (child.events[0]?.content ?? {}) as { spec: JsonObject };
  const spec = { ...before, ...fields };
  const { grant: given = null, loop = null, starters } = spec;
  const turnFacts = { grant: given, loop, ...(starters === undefined ? {} : { starters }) };
  const events = editEvent(child.events, 1, { spec }).map((event) =>
    event.type === "turn.started"
      ? { ...event, content: { ...event.content, ...turnFacts } }
      : nameRoot(event, loop),
  );
  const started = sealRun({ ...child, events });
  const receipt = receiptIdOf(started.receipts.at(-1) ?? "");
  return [reseal(parent, findSequence(parent.events, "action.settled"), { receipt }), started];
}

function nameRoot(event: RawEvent, loop: JsonValue): RawEvent {
  return event.type === "call.started" ? { ...event, content: { ...event.content, loop } } : event;
}

/** A child whose parent claims something else than a handoff. */
function disguise(handed: HandedRuns): ReceiptVector {
  const claim = findSequence(handed.parent.events, "action.claimed");
  return reject(
    "handed-without-a-handoff",
    "The claim that started the run does not say that it hands over.",
    claimOtherwise(handed, { action: "model" }),
    [
      { code: "EVENT_MALFORMED", sequence: claim },
      { code: "SET_PARENT_MISMATCH", turn: 1 },
    ],
  );
}

/** The claim of the parent with other fields; the child names it as it is then. */
function claimOtherwise({ parent, child }: HandedRuns, fields: JsonObject): MadeRun[] {
  const sequence = findSequence(parent.events, "action.claimed");
  const claimed = reseal(parent, sequence, fields);
  const { hash = "" } = claimed.events[sequence - 1] ?? {};
  const named = { run: parent.run, turn: 1, sequence, hash };
  const name = (events: MadeRun["events"], nth: number): MadeRun["events"] =>
    editEvent(events, findSequence(child.events, "turn.started", nth), { parent: named });
  const events = [1, 2].reduce(name, child.events);
  return startOtherwise({ parent: claimed, child: { ...child, events } }, { parent: named });
}

/** One event of the parent changed, and its turn sealed again. */
function reseal(
  parent: MadeRun,
  sequence: number,
  content: JsonObject,
  closing: JsonObject = {},
): MadeRun {
  const closed = findSequence(parent.events, "turn.closed");
  const edited = editEvent(parent.events, sequence, content);
  return sealRun({ ...parent, events: editEvent(edited, closed, closing) });
}

function hideReceipt(parent: MadeRun, settled: number): MadeRun {
  const { content: { receipt: _, ...content } = {}, ...event } = parent.events[
    settled - 1
  ] as RawEvent;
  return sealRun({ ...parent, events: parent.events.with(settled - 1, { ...event, content }) });
}

function totals(spent: JsonObject): JsonObject {
  return { spending: { settled: { turns: 1, ...spent }, assumed: {}, open: {} } };
}

function cutAfter(run: MadeRun, sequence: number): MadeRun {
  return { ...run, events: chainEvents(run.events.slice(0, sequence)), receipts: [] };
}

function reject(
  name: string,
  description: string,
  tree: readonly MadeRun[],
  findings: Expected,
): ReceiptVector {
  return rejectVector(name, description, { keys, tree }, findings);
}
