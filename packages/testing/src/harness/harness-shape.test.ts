// The shape of a harness file: what the checker refuses, the schema refuses too.
import { readFileSync } from "node:fs";
import { Ajv2020 } from "ajv/dist/2020.js";
import { describe, expect, test } from "vitest";
import { refundCase } from "./desk.test.data.ts";
import { HARNESS_ITEMS_MAX, type Harness } from "./harness.ts";
import { harnessShape } from "./harness-shape.ts";

const schemaFile = new URL("../../../../spec/schemas/harness.schema.json", import.meta.url);
const schema = JSON.parse(readFileSync(schemaFile, "utf8"));
const isBySchema = new Ajv2020({ strict: true, strictTypes: false, strictRequired: false }).compile(
  schema,
);

const who = { id: "ada", roles: [] };
const reply = (fields: object) => ({ model: [fields] });
const word = (fields: object) => ({ caller: [fields] });
const expected = (fields: object) => ({ expect: { stopped: "denied", ...fields } });
const turn = (fields: object) => expected({ turns: [fields] });

const good: [string, object][] = [
  ["the least that there is", {}],
  ["a text as reply", reply({ text: "" })],
  ["tool calls as reply", reply({ toolCalls: [{ tool: "a.b", input: null }], asked: "x" })],
  ["a failure as reply", reply({ failure: "down", mayRetry: true })],
  ["a tool", { tools: { "a.b": { effect: "once", results: [{ result: null }] } } }],
  ["an approval", word({ approval: "a.b", choice: "edit", by: who, arguments: 1, atOnce: true })],
  ["an answer", word({ question: "q", answer: null, by: who })],
  ["a resolution", word({ resolve: "a.b", resolution: "happened", by: who, result: 1 })],
  ["a tool that is not sure", { tools: { "a.b": { results: [{ unsure: true }] } } }],
  ["a cancel", word({ cancel: "ada" })],
  ["time", word({ wait: 1 })],
  ["a signal", { signals: [{ name: "n", payload: null, by: "ada", afterTurn: 1 }] }],
  ["files", { files: { site: { "src/a.txt": "" } } }],
  ["files after the run", expected({ files: { site: { "a.txt": "b", "c.txt": null } } })],
  ["a policy by path", { policy: "rules.toml" }],
  ["guidance by path", { guidance: [{ ref: "a.md" }] }],
  ["who starts it", { by: "x".repeat(128) }],
  ["a time to start at", { startsAt: "2026-01-31T12:00:00.000Z" }],
  ["a run that waits", { expect: { waiting: [{ approval: "a.b" }] } }],
  ["events in part", expected({ events: { includes: ["turn.closed"], excludes: ["shop.sold"] } })],
  ["handoffs below handoffs", expected({ handoffs: [{ handoffs: [{ loop: "x" }] }] })],
];

test.each(good)("%s is accepted", (_, fields) => {
  const document = { ...refundCase, ...fields };
  expect(harnessShape(document, "")).toEqual([]);
  expect(isBySchema(document)).toBe(true);
});

const bad: [string, string, object][] = [
  ["field-unknown", "/expects", { expects: {} }],
  ["field-unknown", "/expect/outcome", expected({ outcome: "denied" })],
  ["field-unknown", "/expect/turns/0/disposition", turn({ disposition: "closed" })],
  ["field-unknown", "/expect/turns/0/effects/0/by", turn({ effects: [{ by: "ada" }] })],
  ["field-unknown", "/expect/handoffs/0/refused", expected({ handoffs: [{ refused: [] }] })],
  ["field-unknown", "/expect/events/has", expected({ events: { has: [] } })],
  ["field-unknown", "/model/0/say", reply({ text: "a", say: "b" })],
  ["field-unknown", "/caller/0/reason", word({ question: "q", answer: 1, by: who, reason: "x" })],
  ["field-unknown", "/grant~1x", { "grant/x": 1 }],
  ["field-type", "/expect/stopped", { expect: { stopped: "done" } }],
  ["field-type", "/expect/turns/0/outcome", turn({ outcome: "sealed" })],
  ["field-type", "/expect/turns/0/decision", turn({ decision: "go" })],
  ["field-type", "/expect/turns", expected({ turns: {} })],
  ["field-type", "/name", { name: "" }],
  ["field-type", "/startsAt", { startsAt: "today" }],
  ["field-type", "/by", { by: "" }],
  ["field-type", "/by", { by: "x".repeat(129) }],
  ["field-type", "/by", { by: { id: "ada", roles: [] } }],
  ["field-type", "/model", { model: { text: "a" } }],
  ["field-type", "/tools/a.b", { tools: { "a.b": [] } }],
  ["field-type", "/tools/a.b/effect", { tools: { "a.b": { effect: "twice", results: [] } } }],
  ["field-type", "/caller/0/choice", word({ approval: "a.b", choice: true, by: who })],
  ["field-type", "/caller/0/resolution", word({ resolve: "a.b", resolution: "again", by: who })],
  ["field-type", "/tools/a.b/results/0/unsure", { tools: { "a.b": { results: [{ unsure: 1 }] } } }],
  ["field-type", "/caller/0/wait", word({ wait: -1 })],
  ["field-type", "/from/0", { from: [1] }],
  ["field-type", "/files", { files: { "../site": {} } }],
  ["field-type", "/files/site/a", { files: { site: { a: null } } }],
  ["field-type", "/expect/files/site/a", expected({ files: { site: { a: 1 } } })],
  ["field-missing", "", { input: undefined }],
  ["field-missing", "/expect", { expect: {} }],
  ["field-missing", "/model/0", reply({ asked: "x" })],
  ["field-missing", "/caller/0", word({ approval: "a.b", choice: "approve" })],
  ["field-missing", "/caller/0", word({})],
  ["field-missing", "/caller/0", word([])],
  ["field-missing", "/tools/a.b", { tools: { "a.b": {} } }],
  ["field-missing", "/expect/waiting/0", { expect: { waiting: [{ role: "x" }] } }],
  ["field-misplaced", "/expect", { expect: { stopped: "denied", waiting: [] } }],
  ["field-misplaced", "/model/0", reply({ text: "a", json: 1 })],
];

test.each(bad)("%s at %s is refused, by both", (rule, path, fields) => {
  const document = JSON.parse(JSON.stringify({ ...refundCase, ...fields }));
  const faults = harnessShape(document, "");
  expect(faults.map((fault) => [fault.rule, fault.path])).toEqual([[rule, path]]);
  expect(isBySchema(document)).toBe(false);
});

describe("what the schema leaves to the text", () => {
  test.each<[string, string, object]>([
    ["a grant", "/grant", { grant: { grantor: "ada", tools: ["no-dot"], budget: {} } }],
    ["bounds", "/bounds", { bounds: { turns: 1 } }],
    ["an event type", "/expect/events/0", expected({ events: ["turn.close"] })],
    ["a path out of a root", "/files/site", { files: { site: { "../a": "" } } }],
    ["a day that there is not", "/startsAt", { startsAt: "2026-02-30T00:00:00.000Z" }],
  ])("%s is read by its own rules", (_, path, fields) => {
    const document = { ...refundCase, ...fields };
    expect(harnessShape(document, "").map((fault) => fault.path)).toEqual([path]);
  });
});

test(`lists and maps hold at most ${HARNESS_ITEMS_MAX} items`, () => {
  const results: { result: number }[] = [];
  const many = (count: number): Harness => ({
    ...refundCase,
    model: Array.from({ length: count }, () => ({ text: "a" })),
    tools: Object.fromEntries(Array.from({ length: count }, (_, at) => [`a.b${at}`, { results }])),
  });
  expect(harnessShape(many(HARNESS_ITEMS_MAX), "")).toEqual([]);
  expect(isBySchema(many(HARNESS_ITEMS_MAX))).toBe(true);
  const faults = harnessShape(many(HARNESS_ITEMS_MAX + 1), "");
  expect(faults.map(({ path }) => path)).toEqual(["/model", "/tools"]);
  expect(isBySchema(many(HARNESS_ITEMS_MAX + 1))).toBe(false);
});

test("what is no object at all is refused", () => {
  for (const value of [null, [], "x", 1, undefined])
    expect(harnessShape(value, "")).toMatchObject([{ rule: "field-type", path: "" }]);
});
