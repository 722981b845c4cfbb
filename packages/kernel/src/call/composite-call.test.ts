import { expect, test } from "vitest";
import {
  codeOf,
  compositeLoop,
  openWorld,
  step,
  toolLoop,
  typesOf,
} from "./sample-world.test.data.ts";

const increment = toolLoop("increment", {
  inputSchema: { type: "object", properties: { n: { type: "number" } }, required: ["n"] },
});
const tools = { increment: (input: unknown) => ({ n: (input as { n: number }).n + 1 }) };
const twice = compositeLoop("twice", [
  step("increment", { n: "$.input.n" }, "first"),
  step("increment", { n: "$.first.output.n" }),
]);

test("a composite runs its steps in order, each in its frame under its own id", async () => {
  const call = await openWorld({ loops: [increment, twice], tools }).call("twice", { n: 1 });
  expect(call.result).toMatchObject({ status: "ok", output: { n: 3 } });
  const child = [
    "call.started",
    "call.input.validated",
    "call.tool.invoked",
    "call.tool.returned",
    "call.output.validated",
    "call.completed",
  ];
  expect(typesOf(call)).toEqual([
    "call.started",
    "call.input.validated",
    ...["child.started", ...child, "child.completed"],
    ...["child.started", ...child, "child.completed"],
    "call.output.validated",
    "call.completed",
  ]);
  const [announced] = call.result.trace.filter((event) => event.type === "child.started");
  expect(announced?.payload).toMatchObject({ loopId: "increment", stepIndex: 0 });
  const [, started] = call.result.trace.filter((event) => event.type === "call.started");
  expect(started?.callId).toBe(announced?.payload?.["childCallId"]);
  expect(started?.payload).toMatchObject({ parentCallId: call.result.callId });
});

test("a composite builds its output from any step when it has an output mapping", async () => {
  const mapped = compositeLoop("mapped", [], {
    composite: {
      steps: [step("increment", { n: "$.input.n" }), step("increment", { n: { const: 10 } })],
      outputMapping: {
        first: "$.steps[0].output.n",
        last: "$.steps[-1].output.n",
        status: "$.steps[0].status",
        word: "literal:done",
        absent: "$.input.absent",
      },
    },
  });
  const { result } = await openWorld({ loops: [increment, mapped], tools }).call("mapped", {
    n: 1,
  });
  expect(result).toMatchObject({ output: { first: 2, last: 11, status: "ok", word: "done" } });
  expect(result.status === "ok" && result.output).not.toHaveProperty("absent");
});

test("a failing step ends a composite, and the next one never starts", async () => {
  let acts = 0;
  const call = await openWorld({
    loops: [increment, twice],
    tools: {
      increment: () => {
        acts++;
        throw new Error("broken");
      },
    },
  }).call("twice", { n: 1 });
  expect(call.result).toMatchObject({
    error: {
      code: "CHILD_FAILED",
      reason: "broken",
      details: {
        lsr: "EXECUTION_FAILED",
        step: { index: 0, loopId: "increment", code: "TOOL_FAILED" },
      },
    },
  });
  expect(acts).toBe(1);
  expect(typesOf(call).slice(-3)).toEqual(["call.errored", "child.completed", "call.errored"]);
});

test("a mapping that cannot be followed fails before the child starts", async () => {
  const call = await openWorld({ loops: [increment, twice], tools }).call("twice", 5);
  expect(call.result).toMatchObject({
    error: { code: "MAPPING_FAILED", details: { path: "$.input.n" } },
  });
  expect(typesOf(call)).not.toContain("child.started");
});

test("an expression without a value fails before the child starts, and says no value", async () => {
  const cel = "input.secret + input.missing";
  const computed = compositeLoop("computed", [step("increment", { n: { cel } })]);
  const call = await openWorld({ loops: [increment, computed], tools }).call("computed", {
    secret: "hunter2",
  });
  expect(call.result).toMatchObject({
    error: {
      code: "MAPPING_FAILED",
      message: "step 0: the expression of `n` gives no value: field-missing",
      details: { lsr: "EXECUTION_FAILED", expression: cel, failure: "field-missing" },
    },
  });
  expect(typesOf(call)).not.toContain("child.started");
  expect(JSON.stringify(call.result)).not.toContain("hunter2");
});

test("an output mapping that cannot be followed fails after the steps", async () => {
  const mapped = compositeLoop("mapped", [], {
    composite: {
      steps: [step("increment", { n: { const: 1 } })],
      outputMapping: { deep: "$.steps[0].output.n.deep.er" },
    },
  });
  const call = await openWorld({ loops: [increment, mapped], tools }).call("mapped");
  expect(codeOf(call)).toBe("MAPPING_FAILED");
  expect(typesOf(call)).toContain("child.completed");
});

test("a step whose loop is not registered fails the composite, and does not start", async () => {
  const lonely = compositeLoop("lonely", [step("missing")]);
  const call = await openWorld({ loops: [lonely] }).call("lonely");
  expect(call.result).toMatchObject({
    error: {
      code: "LOOP_NOT_FOUND",
      details: { step: { index: 0, loopId: "missing", code: "LOOP_NOT_FOUND" } },
    },
  });
  expect(typesOf(call)).not.toContain("child.started");
});

test("a tool that changes its input does not change what later steps see", async () => {
  const loops = [
    toolLoop("vandal"),
    toolLoop("witness"),
    compositeLoop("pair", [
      step("vandal", { list: "$.input.list" }),
      step("witness", { list: "$.input.list" }),
    ]),
  ];
  const { result } = await openWorld({
    loops,
    tools: {
      vandal: (input) => {
        const { list } = input as { list: number[] };
        list.length = 0;
        return null;
      },
      witness: (input) => input,
    },
  }).call("pair", { list: [1, 2] });
  expect(result).toMatchObject({ output: { list: [1, 2] } });
});
