// A fixture of any run passes: each story is run, written down, and run again from the file.
import { isClaimOf } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { ada, approve, bob, deskFile, refundCase, rules, tryCase } from "./desk.test.data.ts";
import type { Harness } from "./harness.ts";
import { harnessShape } from "./harness-shape.ts";
import { makeFixture } from "./make-fixture.ts";

const [large = { id: "large", decision: "ask" as const }, rest = large] = rules.rules;
const order = { order: "A-1", cents: 1200 };
const small = { order: "A-1", cents: 10 };
const clerk: Partial<Harness> = {
  loop: "clerk",
  input: { plan: "both", customer: "Grace" },
  grant: {
    ...{ grantor: "ada", budget: {} },
    tools: ["desk.refund", "desk.lookup", "turnseal.question"],
  },
};
const both = [order, { ...order, order: "A-2" }].map((input) => ({ tool: "desk.refund", input }));
const handed: Partial<Harness> = {
  loop: "delegate",
  grant: {
    ...{ grantor: "ada", tools: ["desk.refund"], handoffs: ["refund"] },
    budget: { turns: 9, toolCalls: 9, effects: 9, handoffs: 1 },
  },
};
const unsure: Partial<Harness> = {
  input: small,
  tools: { "desk.refund": { effect: "once", results: [{ unsure: true }] } },
};
const said = { resolve: "desk.refund", by: ada };

const stories: [string, Partial<Harness>][] = [
  ["an approval", { caller: [approve] }],
  ["a rejection", { caller: [{ ...approve, choice: "reject", reason: "no" }] }],
  ["nobody's word", {}],
  ["no word in time", { caller: [{ wait: 24 * 60 * 60 * 1000 + 1 }] }],
  ["a cancel", { caller: [{ cancel: "ada" }] }],
  ["a denial", { grant: { ...refundCase.grant, tools: [] } }],
  ["a wrong input", { input: { order: 1 } }],
  [
    "an edit",
    { caller: [{ ...approve, choice: "edit", arguments: { ...order, cents: 1100 } }, approve] },
  ],
  [
    "two people",
    {
      policy: { ...rules, rules: [{ ...large, approvers: 2 }, rest] },
      caller: [approve, { ...approve, by: bob }],
    },
  ],
  [
    "two approvals, one after the other",
    { ...clerk, model: [{ toolCalls: both }, { text: "done" }], caller: [approve, approve] },
  ],
  [
    "two approvals at once, in another order",
    {
      ...clerk,
      model: [{ toolCalls: both }, { text: "done" }],
      caller: [
        { ...approve, request: { ...order, order: "A-2" } },
        { ...approve, atOnce: true },
      ],
    },
  ],
  [
    "a question",
    {
      ...clerk,
      model: [{ toolCalls: [{ tool: "turnseal.question", input: 1 }] }, { json: { a: 1 } }],
      caller: [{ question: "review", answer: { fine: false }, by: bob }],
    },
  ],
  ["a model that fails", { ...clerk, model: [{ failure: "down" }] }],
  [
    "a model that fails once",
    { ...clerk, model: [{ failure: "busy", mayRetry: true }, { text: "done" }] },
  ],
  [
    "a model that thinks aloud, and a tool that it does not have",
    {
      ...clerk,
      model: [
        {
          content: [
            { kind: "reasoning", text: "hm" },
            { kind: "tool-call", toolCallId: "x", toolName: "desk__fly", input: "{" },
          ],
        },
        { text: "done", finishReason: "other" },
      ],
    },
  ],
  ["a tool that fails", { input: { ...small, cents: 13 } }],
  [
    "signals between turns",
    {
      loop: "lookup",
      input: { order: "none" },
      grant: { grantor: "ada", tools: ["desk.lookup"], budget: {} },
      bounds: {
        turnsMax: 3,
        goal: { path: "$.output.order", equals: "B-2" },
        nextInput: { order: "$.signals.order" },
      },
      signals: [
        { name: "order", payload: "B-1", by: "ada", afterTurn: 1 },
        { name: "order", payload: "B-2", by: "bob", afterTurn: 2 },
      ],
    },
  ],
  [
    "a chat that waits for the next message",
    {
      ...clerk,
      model: [{ text: "Hello." }, { text: "You asked for both." }],
      bounds: {
        turnsMax: 9,
        awaits: ["message"],
        nextInput: { plan: "$.signals.message.text", customer: "$.input.customer" },
      },
      signals: [{ name: "message", payload: { text: "What did I ask?" }, by: "ada", afterTurn: 1 }],
    },
  ],
  ["a handoff", { ...handed, input: small }],
  ["a handoff that waits inside", { ...handed }],
  ["a handoff with an approval inside", { ...handed, caller: [approve] }],
  [
    "an approval of a handoff",
    {
      ...handed,
      input: small,
      policy: { ...rules, rules: [{ ...large, tools: ["turnseal.handoff"], when: "true" }, rest] },
      caller: [{ ...approve, approval: "turnseal.handoff" }],
    },
  ],
  ["an unknown end", unsure],
  [
    "an unknown end that happened",
    { ...unsure, caller: [{ ...said, resolution: "happened", result: 1 }] },
  ],
  ["an unknown end that is given up", { ...unsure, caller: [{ ...said, resolution: "abandon" }] }],
  [
    "an unknown end that is tried again",
    {
      ...unsure,
      tools: { "desk.refund": { effect: "once", results: [{ unsure: true }, { result: 2 }] } },
      caller: [{ ...said, resolution: "retry" }],
    },
  ],
  ["guidance", { input: small, guidance: [{ ref: "a.md", text: "be kind" }] }],
];

test.each(stories)("%s", async (_, story) => {
  const first = await tryCase(story);
  const made = await makeFixture({
    run: first.run ?? "",
    stores: first.stores,
    from: [deskFile],
  });
  const fixture = JSON.parse(JSON.stringify(made)) as Harness;
  expect(harnessShape(fixture, "")).toEqual([]);
  const { policy: _rules, ...bare } = refundCase;
  const again = await tryCase({ ...bare, ...fixture, name: "again" });
  expect(again.differences).toEqual([]);
  const text = JSON.stringify(fixture);
  expect(text).not.toMatch(/"(ada|bob)"/);
});

test("a chat is told all that it was told, and then waits", async () => {
  const [, chat = {}] = stories.find(([name]) => name.startsWith("a chat")) ?? [];
  const { differences, actual } = await tryCase({
    ...{ ...chat, expect: { waiting: [{ signal: "message" }] } },
  });
  expect(differences).toEqual([]);
  expect(actual["turns"]).toMatchObject([
    { decision: "wait" },
    { output: { text: "You asked for both." } },
  ]);
});

test("what cannot be told again is said", async () => {
  const { stores, run = "" } = await tryCase({ ...handed, input: small });
  const make = (subject: string) => makeFixture({ run: subject, stores, from: [deskFile] });
  await expect(make("00000000-0000-4000-8000-000000000000")).rejects.toThrow("has not begun");
  const events = await stores.log.read(run, 1);
  const child = events.find((event) => isClaimOf("handoff", event))?.content.child ?? "";
  await expect(make(child)).rejects.toThrow(`make it of the run above, ${run}`);
});
