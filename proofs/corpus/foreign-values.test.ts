/**
 * Values that no kernel writes, signed with a trusted key: both verifiers say the same of them, and
 * what is written here. It needs python3-cryptography and fails without it.
 */
import { readFileSync } from "node:fs";
import type { JsonObject, JsonValue } from "@turnseal/protocol";
import { DEMO_KEY } from "@turnseal/protocol/receipts";
import { expect, test } from "vitest";
import { verifyWithPython } from "../tamper/python-verifier.ts";
import type { Verdict } from "../tamper/verdict.ts";
import { type Case, verifyCase } from "../tamper/verify-case.ts";
import { createSeededSigner } from "../vectors/demo-signer.ts";
import {
  editEvent,
  findSequence,
  type MadeRun,
  sealRun,
  signPayload,
} from "../vectors/seal-events.ts";
import { changeContent, type Draft } from "./draft.ts";
import { finishTree } from "./finish-tree.ts";
import { toDraft } from "./to-draft.ts";

function readRun(file: string, name: string): MadeRun {
  const url = new URL(`../../spec/vectors/receipt/${file}.json`, import.meta.url);
  const vectors: { name: string; input: { bundle: MadeRun } }[] = JSON.parse(
    readFileSync(url, "utf8"),
  );
  const found = vectors.find((vector) => vector.name === name);
  if (found === undefined) throw new Error(`there is no vector ${name}`);
  return found.input.bundle;
}

const trees = new URL("../../spec/vectors/receipt-set/handoffs.json", import.meta.url);
const handed: readonly MadeRun[] = JSON.parse(readFileSync(trees, "utf8"))[0].input.tree;
const one = readRun("valid-runs", "one-turn");
const approved = readRun("approved-runs", "approved");

/** The run with its events of a type changed, chained and sealed again. */
function spoil(run: MadeRun, type: string, change: (event: Draft) => Draft): MadeRun {
  const draft = toDraft(run);
  const events = draft.events.map((event) => (event.type === type ? change(event) : event));
  const [made = run] = finishTree([{ ...draft, events }], { restates: false });
  return made;
}

const set =
  (fields: JsonObject) =>
  (event: Draft): Draft =>
    changeContent(event, fields);

type Change = (event: Draft) => Draft;

/** Run and turn under a grant with these fields. */
function grant(fields: JsonObject): MadeRun {
  const change = ({ content, ...event }: Draft): Draft => {
    const { spec } = content as { spec?: JsonObject };
    const { grant: before } = (spec ?? content) as { grant?: JsonObject };
    const given = { ...before, ...fields };
    return changeContent(
      { ...event, content },
      spec ? { spec: { ...spec, grant: given } } : { grant: given },
    );
  };
  return spoil(spoil(one, "run.started", change), "turn.started", change);
}

const term = {
  ...{ id: "t", family: "effect", resource: "bank", verbs: [], capabilities: [] },
  ...{ bounds: {}, conditions: [], approvals: [] },
};
const units = Array.from({ length: 33 }, (_, index) => [`acme.u${"x".repeat(index)}`, 1]);
const unreadable: Readonly<Record<string, JsonObject>> = {
  "a depth of 33": { depth: 33 },
  "a scope twice": { scopes: ["a:b", "a:b"] },
  "the id of a term twice": { terms: [term, { ...term, resource: "x" }] },
  "33 units with a namespace": { budget: Object.fromEntries(units) },
  "the 30th of February": { expiresAt: "2027-02-30T00:00:00.000Z" },
  "a bound of another family": { terms: [{ ...term, bounds: { paths: ["a"] } }] },
  "more than a grant may hold": {
    terms: Array.from({ length: 80 }, (_, id) => ({
      ...term,
      id: `t${id}`,
      conditions: ["x".repeat(1_900)],
    })),
  },
};

function judgeBoth(bundle: unknown): Promise<string[][]> {
  return judgeCase({ keys: [DEMO_KEY], bundle });
}

async function judgeCase(input: Case): Promise<string[][]> {
  const both = [await verifyCase(input), ...(await verifyWithPython([input]))];
  return both.map(({ findings }) => findings.map(describe).sort());
}

const describe = ({ code, sequence }: Verdict["findings"][number]): string =>
  sequence === undefined ? code : `${code} ${sequence}`;

function at(run: MadeRun, code: string, type: string): string {
  return `${code} ${findSequence(run.events, type)}`;
}

test.each(Object.entries(unreadable))("a grant with %s is malformed", async (_, fields) => {
  const expected = [at(one, "EVENT_MALFORMED", "run.started"), "RECEIPT_MALFORMED"];
  expect(await judgeBoth(grant(fields))).toEqual([expected, expected]);
});

test("a grant with half a character is malformed", async () => {
  const expected = [at(one, "EVENT_MALFORMED", "run.started")];
  expect(await judgeBoth(grant({ grantor: "\ud800" }))).toEqual([expected, expected]);
});

test.each([
  ["names no moment of the calendar", { at: "2026-13-45T99:99:99.999Z" }, "EVENT_MALFORMED 1"],
  ["is of year 0", { at: "0000-01-01T00:00:00.000Z" }, "EVENT_MALFORMED 1"],
  ["has half a character", { id: "\ud800" }, "EVENT_MALFORMED 1"],
  ["is of epoch 0", { epoch: 0 }, "CHAIN_EPOCH 1"],
])("a first event that %s is refused", async (_, fields, code) => {
  const run = spoil(one, "run.started", (event) => ({ ...event, ...fields }));
  expect(await judgeBoth(run)).toEqual([[code], [code]]);
});

/** Values that JavaScript makes a text of, or fails at, without being asked. */
const wraps: readonly ((text: string) => JsonValue)[] = [
  (text) => [text],
  () => ({ toString: 1, valueOf: 1 }),
  () => null,
];
const time = "2026-01-01T00:00:00.000Z";

const odd: readonly (readonly [
  string,
  MadeRun,
  string,
  (wrap: (typeof wraps)[number]) => Change,
])[] = [
  ["a decision's time", approved, "approval.decided", (wrap) => set({ receivedAt: wrap(time) })],
  [
    "how long an approval counts",
    approved,
    "approval.requested",
    (wrap) => set({ useWithinMs: wrap("3600000") }),
  ],
  ["the group that a claim is held for", one, "action.claimed", (wrap) => set({ held: wrap("g") })],
  ["the loop of a call", one, "call.started", (wrap) => set({ loop: wrap("add") })],
  ["the signal of a decision", one, "run.decided", (wrap) => set({ signal: wrap("x") })],
  ["the claim above a turn", one, "turn.started", (wrap) => set({ parent: wrap("x") })],
  [
    "the call of a claim",
    one,
    "action.claimed",
    (wrap) => (event) => ({ ...event, call: wrap("x") as string }),
  ],
];

test.each(odd)("%s is malformed where it is no text or number", async (_, run, type, change) => {
  for (const wrap of wraps) {
    const [ours, theirs] = await judgeBoth(spoil(run, type, change(wrap)));
    expect(ours).toContain(at(run, "EVENT_MALFORMED", type));
    expect(theirs).toEqual(ours);
  }
});

test("a handoff whose child is no text started no run", async () => {
  const [parent, child] = handed;
  if (parent === undefined || child === undefined) throw new Error("there is no tree");
  const spoiled = spoil(parent, "action.claimed", set({ child: [child.run] }));
  const [ours, theirs] = await judgeCase({ keys: [DEMO_KEY], tree: [spoiled, child] });
  expect(ours).toContain(at(parent, "EVENT_MALFORMED", "action.claimed"));
  expect(theirs).toEqual(ours);
});

test("nothing is measured from what is stated with a field more", async () => {
  const spending = { settled: {}, assumed: {}, open: {}, saved: {} };
  const [ours, theirs] = await judgeBoth(spoil(one, "turn.started", set({ spending })));
  expect(ours).toContain(at(one, "EVENT_MALFORMED", "turn.started"));
  expect(theirs).toEqual(ours);
});

test("a first turn that names an empty text as the receipt before is refused", async () => {
  const start = findSequence(one.events, "turn.started");
  const events = editEvent(one.events, start, { previousReceipt: "" });
  const run = sealRun({ ...one, events }, { relink: false });
  expect(await judgeBoth(run)).toEqual([["RECEIPT_PREVIOUS"], ["RECEIPT_PREVIOUS"]]);
});

test.each(["turn", "call"])("an event of a call without `%s` is malformed", async (name) => {
  const drop: Change = ({ [name as "turn"]: _, ...event }) => event;
  const [ours, theirs] = await judgeBoth(spoil(one, "action.claimed", drop));
  expect(ours).toContain(at(one, "EVENT_MALFORMED", "action.claimed"));
  expect(theirs).toEqual(ours);
});

test.each([
  ["nests deeper than canonical JSON", "[".repeat(200) + "]".repeat(200)],
  ["nests deeper than most can read", "[".repeat(50_000) + "]".repeat(50_000)],
  ["holds half a character", '"\\ud800"'],
])("a statement that %s is malformed", async (_, payload) => {
  const { text } = signPayload(new TextEncoder().encode(payload), createSeededSigner());
  const expected = ["RECEIPT_MALFORMED", "RECEIPT_MISSING"];
  expect(await judgeBoth({ ...one, receipts: [text] })).toEqual([expected, expected]);
});
