import { canonicalize } from "@turnseal/protocol";
import { notDone } from "@turnseal/protocol/authoring";
import { type Statement, verifyReceipt } from "@turnseal/protocol/receipts";
import { expect, test } from "vitest";
import { compositeLoop, step, toolLoop } from "../call/sample-world.test.data.ts";
import { TOOL_TIMEOUT_MS_DEFAULT } from "../limits.ts";
import {
  openRun,
  RUN,
  type SampleRun,
  type SampleRunOptions,
  sampleKey,
  settle,
} from "../turn/sample-run.test.data.ts";

async function readStatement(run: SampleRun): Promise<Statement> {
  const receipt = await run.stores.receipts.read(RUN, 1);
  const verdict = await verifyReceipt(canonicalize(receipt?.envelope), { keys: [sampleKey] });
  if (verdict.kind !== "valid") throw new Error(JSON.stringify(verdict.findings));
  return verdict.statement;
}

const sealed: readonly [string, string | null, Partial<SampleRunOptions>][] = [
  ["completed", null, {}],
  ["failed", "TOOL_FAILED", { tools: { "local.pay": () => Promise.reject(notDone("no")) } }],
  ["denied", "POLICY_DENIED", { grant: { tools: [] } }],
  ["denied", "POLICY_DENIED", { grant: { expiresAt: "2020-01-01T00:00:00.000Z" } }],
  ["failed", "BUDGET_EXCEEDED", { budget: { toolCalls: 0 } }],
  ["refused", "INPUT_VALIDATION_FAILED", { loops: [toolLoop("pay", { inputSchema: false })] }],
  [
    "failed",
    "OUTPUT_VALIDATION_FAILED",
    { loops: [toolLoop("pay", { outputSchema: { type: "string" } })] },
  ],
];
test.each(sealed)(
  "a turn that ends as %s (%s) has a receipt that says so",
  async (outcome, reason, options) => {
    const run = openRun({
      loops: [toolLoop("pay")],
      tools: { "local.pay": { effect: "once", run: () => ({}) } },
      ...options,
    });
    expect(await run.turn()).toMatchObject({ kind: "closed", outcome });
    const { predicate } = await readStatement(run);
    expect(predicate).toMatchObject({ run: RUN, turn: 1, outcome });
    expect(predicate.reason ?? null).toBe(reason);
    const events = await run.events();
    expect(predicate.events).toMatchObject({ first: 1, last: events.length });
  },
);

test.each([
  ["idempotent", "unknown"],
  ["read", "timed-out"],
] as const)("a turn that went wrong over a cut-off %s is %s", async (effect, outcome) => {
  const run = openRun({
    loops: [toolLoop("pay")],
    tools: { "local.pay": { effect, run: () => new Promise(() => {}) } },
  });
  const turning = run.turn();
  await settle();
  run.clock.advance(TOOL_TIMEOUT_MS_DEFAULT);
  expect(await turning).toMatchObject({ outcome, reason: "TIMEOUT" });
});

test("a receipt lists a claim that nobody settled as unknown", async () => {
  const run = openRun({
    loops: [compositeLoop("flow", [step("look"), step("pay")]), toolLoop("look"), toolLoop("pay")],
    tools: {
      "local.look": { effect: "read", run: () => ({}) },
      "local.pay": { effect: "idempotent", run: () => new Promise(() => {}) },
    },
  });
  const turning = run.turn();
  await settle();
  run.clock.advance(TOOL_TIMEOUT_MS_DEFAULT);
  await turning;
  const { effects } = (await readStatement(run)).predicate;
  expect(effects.map(({ effect, status }) => [effect, status])).toEqual([
    ["read", "ok"],
    ["idempotent", "unknown"],
  ]);
});
