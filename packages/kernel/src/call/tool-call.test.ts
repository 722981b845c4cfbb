import { manualClock, seededIds } from "@turnseal/ports";
import { isUuid } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { bindTools } from "../actions/bind-tools.ts";
import { createRegistry } from "../registry/registry.ts";
import { createExecutor } from "./executor.ts";
import { codeOf, openWorld, toolLoop, typesOf } from "./sample-world.test.data.ts";

const double = toolLoop("double", {
  inputSchema: { type: "object", properties: { value: { type: "number" } }, required: ["value"] },
  outputSchema: { type: "object", properties: { value: { type: "number" } } },
});
const tools = {
  double: (input: unknown) => ({ value: (input as { value: number }).value * 2 }),
};

test("a tool loop goes through its lifecycle in order and answers with its output", async () => {
  const call = await openWorld({ loops: [double], tools }).call("double", { value: 21 });
  expect(call.result).toMatchObject({
    status: "ok",
    loopId: "double",
    loopVersion: "1.0.0",
    output: { value: 42 },
    startedAt: "2026-01-01T00:00:00.000Z",
    endedAt: "2026-01-01T00:00:00.000Z",
    durationMs: 0,
  });
  expect(isUuid(call.result.callId)).toBe(true);
  expect(typesOf(call)).toEqual([
    "call.started",
    "call.input.validated",
    "call.tool.invoked",
    "call.tool.returned",
    "call.output.validated",
    "call.completed",
  ]);
  expect(call.events.map(({ type }) => type)).toEqual([
    "call.started",
    "call.input.validated",
    "action.claimed",
    "action.settled",
    "call.output.validated",
    "call.completed",
  ]);
});

test("a tool loop records its claim with a deadline, and the digest of the loop", async () => {
  const world = openWorld({ loops: [double], tools });
  const { events } = await world.call("double", { value: 1 });
  expect(events[0]?.content).toEqual({
    loop: "double",
    version: "1.0.0",
    digest: world.registry.resolve("double")?.digest,
  });
  expect(events[2]?.content).toEqual({
    action: "tool",
    tool: "local.double",
    term: "local.double",
    build: expect.stringMatching(/^source:[0-9a-f]{16}$/),
    deadlineAt: "2026-01-01T00:00:30.000Z",
  });
});

test("a tool loop with an invalid input ends before anything acts", async () => {
  let acts = 0;
  const call = await openWorld({ loops: [double], tools: { double: () => acts++ } }).call(
    "double",
    { value: "21" },
  );
  expect(codeOf(call)).toBe("INPUT_VALIDATION_FAILED");
  expect(call.result).toMatchObject({
    error: { details: { lsr: "INPUT_VALIDATION_FAILED", problems: ["/value: must be number"] } },
  });
  expect(typesOf(call)).toEqual(["call.started", "call.errored"]);
  expect(acts).toBe(0);
});

test("a tool loop with an invalid output ends without completion and without output", async () => {
  const call = await openWorld({
    loops: [double],
    tools: { double: () => ({ value: "no" }) },
  }).call("double", { value: 1 });
  expect(codeOf(call)).toBe("OUTPUT_VALIDATION_FAILED");
  expect(call.result).not.toHaveProperty("output");
  expect(typesOf(call).slice(-2)).toEqual(["call.tool.returned", "call.errored"]);
});

test("a tool loop whose name is bound to no function fails before it acts", async () => {
  const call = await openWorld({ loops: [toolLoop("unbound")] }).call("unbound");
  expect(codeOf(call)).toBe("TOOL_FAILED");
  expect(typesOf(call)).toEqual(["call.started", "call.input.validated", "call.errored"]);
});

test("a tool loop cannot reach a function through the name of a prototype", async () => {
  for (const implementation of ["toString", "constructor", "__proto__", "hasOwnProperty"]) {
    const loop = toolLoop("hostile", { tool: { implementation } });
    expect(codeOf(await openWorld({ loops: [loop] }).call("hostile"))).toBe("TOOL_FAILED");
  }
});

test("a tool loop is given its configuration, which it cannot change", async () => {
  const loop = toolLoop("configured", {
    tool: { implementation: "local.configured", config: { region: { name: "north" } } },
  });
  const { result } = await openWorld({
    loops: [loop],
    tools: {
      configured: (_, { config, callId }) => {
        expect(() => Object.assign(config["region"] as object, { name: "south" })).toThrow();
        return { config, callId };
      },
    },
  }).call("configured");
  expect(result).toMatchObject({
    output: { config: { region: { name: "north" } }, callId: result.callId },
  });
});

test("builtin:echo is bound without a word of the operator", async () => {
  const echo = toolLoop("echo", { tool: { implementation: "builtin:echo" } });
  const { result } = await openWorld({ loops: [echo] }).call("echo", { any: [1, null] });
  expect(result).toMatchObject({ status: "ok", output: { any: [1, null] } });
});

test.each(["turnseal.group", "turnseal.note", "turnseal.output", "turnseal.plan"])(
  "a table of functions that answers for %s is not asked",
  async (implementation) => {
    const registry = createRegistry();
    registry.register(toolLoop("own", { tool: { implementation } }));
    const asked: string[] = [];
    const find = (name: string) => {
      asked.push(name);
      return bindTools({ "local.own": () => "foreign" }).find("local.own", "1.0.0");
    };
    const ports = { clock: manualClock(), ids: seededIds("seed"), models: {}, tools: { find } };
    const result = await createExecutor({ registry, ...ports }).call("own", {});
    expect([result.status, asked]).toEqual(["error", []]);
  },
);
