import type { FlowNode } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { FAN_OUT_MAX, NODE_RUNS_MAX, OUTPUT_BYTES_MAX, TRACE_EVENTS_MAX } from "../../limits.ts";
import { callFlow, openFlow, say } from "./sample-flow.test.data.ts";

const often = { kind: "repeat", until: "false", onMax: "continue", max: 100 } as const;
const nothing: FlowNode = { kind: "branch", cases: [{ when: "false", do: say("a") }] };

/** A fan-out whose items leave no event but their ends. */
function each(fields: { readonly join?: "any" }): FlowNode {
  const list = Array.from({ length: FAN_OUT_MAX }, (_, index) => index);
  const items = { const: list };
  return { kind: "forEach", items, max: FAN_OUT_MAX, body: nothing, ...fields };
}

test("fan-outs begin none when the trace is full, and leave no more behind than one", async () => {
  const { error, call } = await callFlow({ ...often, body: each({}) });
  expect(error).toEqual({ code: "BUDGET_EXCEEDED", message: "the trace is full" });
  expect(call.events.length).toBeGreaterThanOrEqual(TRACE_EVENTS_MAX);
  expect(call.events.length).toBeLessThan(TRACE_EVENTS_MAX + FAN_OUT_MAX + 10);
});

test("items that never begin are bounded, too", async () => {
  const { error, call } = await callFlow({ ...often, body: each({ join: "any" }) });
  expect(error?.code).toBe("BUDGET_EXCEEDED");
  expect(call.events.length).toBeLessThan(NODE_RUNS_MAX);
});

/** Rounds that leave no event: each is a node. */
const rounds = (max: number): FlowNode => ({ ...often, max, body: nothing });
const FAR = { const: "2026-01-01T12:00:00.000Z" };

test("the nodes of an item that lost are not counted: a resume may not run them", async () => {
  const lost: FlowNode = {
    kind: "sequence",
    nodes: [
      { ...often, max: 13, body: rounds(900) },
      { kind: "wait", for: { until: FAR } },
    ],
  };
  const won: FlowNode = { ...often, max: 9, body: rounds(900) };
  const flow: FlowNode = {
    kind: "sequence",
    nodes: [{ kind: "parallel", join: "any", branches: [lost, won] }, won],
  };
  const { run } = openFlow(flow);
  expect(await run.turn()).toMatchObject({ kind: "closed", outcome: "completed" });
});

/** A condition of some 240,000 steps that is false. */
const long = "input.list.all(a, input.list.all(b, input.list.all(c, a + b + c >= 0))) && false";
const look: FlowNode = { kind: "branch", cases: [{ when: long, do: say("a") }] };

test("conditions that take long count as nodes: a flow without calls is bounded, too", async () => {
  const input = { list: Array.from({ length: 29 }, (_, index) => index) };
  const callLong = (max: number) => callFlow({ ...often, max, body: look }, { input });
  expect(await callLong(20)).toMatchObject({ output: null });
  const { error } = await callLong(200);
  expect(error).toEqual({
    code: "BUDGET_EXCEEDED",
    message: `the flow runs more than ${NODE_RUNS_MAX} nodes`,
  });
});

test("items together run no more than a flow may, however few each of them runs", async () => {
  const list = Array.from({ length: 25 }, (_, index) => index);
  const all = (items: number): FlowNode => ({
    ...{ kind: "forEach", items: { const: list.slice(0, items) }, max: 25, concurrency: 1 },
    body: rounds(900),
  });
  expect(await callFlow(all(22))).toMatchObject({ error: undefined });
  const { error, call } = await callFlow(all(25));
  expect(error).toMatchObject({ code: "BUDGET_EXCEEDED" });
  const ends = call.events.flatMap((event) => (event.type === "item.closed" ? [event] : []));
  // 25 are counted for the items, and 900 for each when it has ended.
  const within = Math.floor((NODE_RUNS_MAX - 1 - 25) / 900);
  expect(ends.slice(0, within).map(({ content }) => content.status)).toEqual(
    Array(within).fill("ok"),
  );
  expect(ends[within]?.content).toMatchObject({ status: "error", code: "BUDGET_EXCEEDED" });
  expect(ends.slice(within + 1).every(({ content }) => content.status === "withdrawn")).toBe(true);
});

test("what is put together may not double for ever", async () => {
  const body: FlowNode = {
    kind: "sequence",
    nodes: [say("a")],
    outputMapping: { a: "$.last", b: "$.last" },
  };
  const { error, way } = await callFlow({ ...often, max: 40, body });
  expect(error?.code).toBe("OUTPUT_VALIDATION_FAILED");
  expect(error?.message).toContain(String(OUTPUT_BYTES_MAX));
  expect(way.length).toBeLessThan(40);
});
