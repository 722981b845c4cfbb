import { memoryStores, scriptedModel, systemClock } from "@turnseal/ports";
import type { FlowNode } from "@turnseal/protocol";
import { definePrompt, defineTool, jsonSchema, type Loop } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { createLocalHost } from "../../local/local-host.ts";
import { signer } from "../../scenarios/__fixtures__/refund-desk.ts";
import { PART_EVENTS_MAX, PARTS_MAX } from "./read-parts.ts";
import { readRunState, STATE_PARTS_MAX } from "./run-state.ts";

const any = jsonSchema<object>(true);
const open = { version: "1.0.0", inputSchema: true, outputSchema: true } as const;
const send = defineTool({
  ...{ id: "send", version: "1.0.0", input: any, output: any, effect: "read" },
  run: (given) => {
    const { to } = given as { to: string };
    if (to === "Oslo") throw new Error("no route to Oslo");
    return { sent: to };
  },
});
const write = definePrompt({
  ...{ id: "write", version: "1.0.0", backend: { id: "scripted" } },
  ...{ input: any, output: jsonSchema<unknown>(true), template: "Write" },
});

function flow(nodes: FlowNode[]): Loop<never, unknown> {
  const composite = { flow: { kind: "sequence", nodes } } as const;
  return {
    definition: { ...open, id: "flow", name: "flow", kind: "composite", composite },
  } as never;
}

function openHost(root: Loop<never, unknown>) {
  const models = { scripted: scriptedModel(["a letter"]) };
  const stores = memoryStores(systemClock);
  return { ...createLocalHost({ loops: [root, send, write], stores, signer, models }), stores };
}

const each = (items: string, more: object = {}): FlowNode =>
  ({
    ...{ kind: "forEach", items, max: 200, concurrency: 1, name: "all" },
    body: { kind: "call", loopId: "send", inputMapping: { to: "$.item.name" } },
    ...more,
  }) as FlowNode;

const towns = (...names: string[]) => ({ towns: names.map((name) => ({ name })) });

test("an item that failed has its label and the words of its tool", async () => {
  const root = flow([each("$.input.towns", { onItemError: "continue" })]);
  const host = openHost(root);
  const grant = { grantor: "ada", tools: ["local.send"], budget: {} };
  const { run } = await host.run(root, towns("Oslo", "Bergen") as never, { grant });
  const path = "/flow/nodes/0";
  expect(await host.readParts(run)).toEqual([
    {
      ...{ path, index: 0, label: "Oslo", status: "error", code: "TOOL_FAILED" },
      reason: "no route to Oslo",
    },
    { path, index: 1, label: "Bergen", status: "ok", output: { sent: "Bergen" } },
  ]);
});

test("what was done before a budget ended the run is in its outcome", async () => {
  const root = flow([
    { kind: "call", loopId: "write", inputMapping: {} } as FlowNode,
    each("$.input.towns"),
  ]);
  const host = openHost(root);
  const grant = { grantor: "ada", tools: ["local.send"], budget: { toolCalls: 2 } };
  const given = towns("Bergen", "Bodo", "Hamar") as never;
  const outcome = await host.run(root, given, { grant });
  const path = "/flow/nodes/1";
  expect(outcome).toMatchObject({
    ...{ status: "stopped", reason: "budget-exhausted" },
    parts: [
      { path: "/flow/nodes/0", label: "write", status: "ok", output: "a letter" },
      { path, index: 0, label: "Bergen", status: "ok", output: { sent: "Bergen" } },
      { path, index: 1, label: "Bodo", status: "ok", output: { sent: "Bodo" } },
      { path, index: 2, label: "Hamar", status: "error", code: "BUDGET_EXCEEDED" },
    ],
  });
  const { parts = [] } = await readRunState(host, outcome.run);
  expect(parts.map(({ status }) => status)).toEqual(["ok", "ok", "ok", "error"]);
  expect(parts.every((part) => !("output" in part))).toBe(true);
});

test("at most PARTS_MAX parts are told, and STATE_PARTS_MAX in a state", async () => {
  expect([PARTS_MAX, PART_EVENTS_MAX, STATE_PARTS_MAX]).toEqual([1_000, 50_000, 100]);
  const root = flow([each("$.input.towns", { onItemError: "halt" })]);
  const host = openHost(root);
  const grant = { grantor: "ada", tools: ["local.send"], budget: {} };
  const names = ["Oslo", ...Array.from({ length: STATE_PARTS_MAX }, (_, index) => `t${index}`)];
  const outcome = await host.run(root, towns(...names) as never, { grant });
  expect(await host.readParts(outcome.run)).toHaveLength(STATE_PARTS_MAX + 1);
  const { parts } = await readRunState(host, outcome.run);
  expect(parts).toHaveLength(STATE_PARTS_MAX);
});

test("a look at the state reads no output, and nothing of parts that it leaves out", async () => {
  const root = flow([each("$.input.towns", { onItemError: "continue" })]);
  const host = openHost(root);
  const count = STATE_PARTS_MAX + 20;
  // The budget ends the run.
  const grant = { grantor: "ada", tools: ["local.send"], budget: { toolCalls: count - 1 } };
  // Of the first twenty, ten fail; the last twenty fail, and are left out.
  const names = Array.from({ length: count }, (_, index) =>
    index < 10 || index >= STATE_PARTS_MAX ? "Oslo" : `t${index}`,
  );
  const { run } = await host.run(root, towns(...names) as never, { grant });
  let reads = 0;
  const blobs = {
    ...host.stores.blobs,
    read: (...asked: Parameters<typeof host.stores.blobs.read>) => {
      reads += 1;
      return host.stores.blobs.read(...asked);
    },
  };
  const stores = { ...host.stores, blobs };
  const { parts = [] } = await readRunState({ ...host, stores }, run);
  expect(parts).toHaveLength(STATE_PARTS_MAX);
  // The list, and the words of ten that failed.
  expect([parts.filter(({ reason }) => reason !== undefined).length, reads]).toEqual([10, 11]);
});
