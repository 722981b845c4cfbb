// An agent under test, in plain node:test: what the model says is written down, a person decides,
// and what must not happen stands beside what must.
import assert from "node:assert/strict";
import { test } from "node:test";
import { type TestOptions, testRun } from "turnseal/testing";
import { desk, refund } from "./loops.ts";

const cents = 1_250;
const order = "A-17";
const asked: TestOptions = {
  loops: [refund],
  grant: { grantor: "ada", tools: ["local.refund"], budget: { effects: 1 } },
  policy: { name: "refunds", rules: [{ id: "all", decision: "ask", tools: ["local.refund"] }] },
  model: [
    { toolCalls: [{ tool: "local.refund", input: { order, cents } }] },
    { json: { text: "It is on its way." } },
  ],
};
const bob = { id: "bob", roles: [] };

test("a refund is paid once somebody approves it", async () => {
  const caller = [{ approval: "local.refund", choice: "approve", by: bob }] as const;
  const tested = await testRun(desk, { order }, { ...asked, caller });
  assert.deepEqual(tested.differences, []);
  assert.equal(tested.stopped, "goal-reached");
  assert.equal(tested.output?.text, "It is on its way.");
  assert.deepEqual(tested.turns[0]?.effects?.[0]?.approvedBy, ["bob"]);
});

test("before that it waits, and nothing is paid", async () => {
  const tested = await testRun(desk, { order }, asked);
  assert.equal(tested.stopped, undefined);
  assert.deepEqual(tested.waiting, [{ approval: "local.refund", request: { order, cents } }]);
  assert.deepEqual(tested.turns, []);
});

test("without a grant nobody is even asked, whatever the model says of it", async () => {
  const grant = { grantor: "ada", tools: [], budget: {} };
  const tested = await testRun(desk, { order }, { ...asked, grant });
  assert.deepEqual(tested.turns[0]?.effects, []);
  assert.deepEqual(tested.turns[0]?.denials, ["tool-not-granted"]);
});
