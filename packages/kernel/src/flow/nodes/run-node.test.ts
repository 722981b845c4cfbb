import { expect, test } from "vitest";
import { compositeLoop, step } from "../../call/sample-world.test.data.ts";
import { callFlow, flaky, flowLoop, say, sayMapped, sequence } from "./sample-flow.test.data.ts";

test("a node whose condition does not hold is skipped, and has no result", async () => {
  const { output, way } = await callFlow(
    sequence(
      say("a", { name: "a", when: "input.go" }),
      sayMapped({ path: "$.a.output.text", whole: "$.a", computed: { cel: "a == null" } }),
    ),
    { input: { go: false } },
  );
  expect(way).toEqual(["/flow/nodes/0 skipped: condition", "/flow/nodes/1"]);
  expect(output).toEqual({ computed: true });
});

test("a node whose condition holds runs", async () => {
  const { way } = await callFlow(sequence(say("a", { when: "input.go" })), {
    input: { go: true },
  });
  expect(way).toEqual(["/flow/nodes/0"]);
});

test.each([
  ["is no boolean", "input.count", "type-mismatch"],
  ["has no value", "input.missing", "field-missing"],
])("a condition that %s is a failure, and never false", async (_, when, failure) => {
  const { error, way } = await callFlow(sequence(say("a", { when }), say("b")), {
    input: { count: 1 },
  });
  expect(error).toEqual({
    code: "MAPPING_FAILED",
    message: `/flow/nodes/0: the condition gives no boolean: ${failure}`,
  });
  expect(way).toEqual([]);
});

test("a failure ends the flow where nothing else is said", async () => {
  const { error, way, call } = await callFlow(sequence(say("a"), flaky(1), say("c")));
  expect(error).toEqual({
    code: "CHILD_FAILED",
    message: "/flow/nodes/1 (flaky) failed: TOOL_FAILED",
  });
  expect(call.result).toMatchObject({
    error: { details: { step: { index: 1, loopId: "flaky", code: "TOOL_FAILED" } } },
  });
  expect(way).toEqual(["/flow/nodes/0", "/flow/nodes/1", "/flow/nodes/1 failed"]);
});

test("onError skip: there is no result, and what follows goes on", async () => {
  const { output, way } = await callFlow(
    sequence(
      flaky(1, { name: "f", onError: "skip" }),
      sayMapped({ path: "$.f.output", computed: { cel: "f == null" } }),
    ),
  );
  expect(way).toEqual([
    "/flow/nodes/0",
    "/flow/nodes/0 failed",
    "/flow/nodes/0 skipped: failed TOOL_FAILED",
    "/flow/nodes/1",
  ]);
  expect(output).toEqual({ computed: true });
});

test("onError continue: the result is the error, with the words of the tool", async () => {
  const { output, way } = await callFlow(
    sequence(flaky(1, { name: "f", onError: "continue" }), sayMapped({ f: "$.f" })),
  );
  expect(way).toEqual(["/flow/nodes/0", "/flow/nodes/0 failed", "/flow/nodes/1"]);
  expect(output).toEqual({
    f: {
      status: "error",
      error: {
        ...{ code: "TOOL_FAILED", message: "/flow/nodes/0 (flaky) failed: TOOL_FAILED" },
        reason: "the weather is bad",
      },
    },
  });
});

test("a text that says error is no failure", async () => {
  const { output, way } = await callFlow(
    sequence(say("error: TOOL_FAILED", { retry: { strategy: "immediate" }, onError: "skip" })),
  );
  expect(output).toEqual({ text: "error: TOOL_FAILED" });
  expect(way).toEqual(["/flow/nodes/0"]);
});

test("what reads a failed node that is not critical is skipped; the rest runs", async () => {
  const { output, way } = await callFlow(
    sequence(
      flaky(1, { name: "a", critical: false }),
      sayMapped({ text: "$.a.output" }, { name: "b" }),
      sequence(say("deep"), sayMapped({ text: { cel: "b.output" } })),
      say("free", { name: "free" }),
      sayMapped({ text: "$.free.output.text" }),
    ),
  );
  expect(way).toEqual([
    "/flow/nodes/0",
    "/flow/nodes/0 failed",
    "/flow/nodes/0 skipped: failed TOOL_FAILED",
    "/flow/nodes/1 skipped: blocked",
    "/flow/nodes/2 skipped: blocked",
    "/flow/nodes/3",
    "/flow/nodes/4",
  ]);
  expect(output).toEqual({ text: "free" });
});

test("a node that is not critical and succeeds blocks nothing", async () => {
  const { output } = await callFlow(
    sequence(say("a", { name: "a", critical: false }), sayMapped({ text: "$.a.output.text" })),
  );
  expect(output).toEqual({ text: "a" });
});

test("otherwise runs once after the last try, and knows the error", async () => {
  const instead = sayMapped({ code: "$.error.code", message: "$.error.message" });
  const { output, way } = await callFlow(
    sequence(
      flaky(9, { name: "f", retry: { strategy: "immediate", max: 2 }, otherwise: instead }),
      sayMapped({ status: "$.f.status", loop: "$.f.loopId", output: "$.f.output" }),
    ),
  );
  expect(way).toEqual([
    "/flow/nodes/0",
    "/flow/nodes/0 failed",
    "/flow/nodes/0 again 2 after 0: TOOL_FAILED",
    "/flow/nodes/0/tries/2",
    "/flow/nodes/0/tries/2 failed",
    "/flow/nodes/0/otherwise",
    "/flow/nodes/1",
  ]);
  expect(output).toEqual({
    status: "ok",
    loop: "say",
    output: {
      code: "TOOL_FAILED",
      message: "/flow/nodes/0/tries/2 (flaky) failed: TOOL_FAILED",
    },
  });
});

test("otherwise does not run where the node succeeds", async () => {
  const { way } = await callFlow(sequence(say("a", { otherwise: say("b") })));
  expect(way).toEqual(["/flow/nodes/0"]);
});

test("where otherwise fails too, its failure is the node's", async () => {
  const missing = sayMapped({ text: "$.error.code.deeper" });
  const { error } = await callFlow(sequence(flaky(9, { otherwise: missing })));
  expect(error?.code).toBe("MAPPING_FAILED");
  const borne = await callFlow(
    sequence(flaky(9, { otherwise: flaky(9), onError: "skip" }), say("b")),
  );
  expect(borne.way).toEqual([
    "/flow/nodes/0",
    "/flow/nodes/0 failed",
    "/flow/nodes/0/otherwise",
    "/flow/nodes/0/otherwise failed",
    "/flow/nodes/0 skipped: failed TOOL_FAILED",
    "/flow/nodes/1",
  ]);
});

test("an otherwise that is skipped takes no node's place", async () => {
  const { error } = await callFlow(sequence(flaky(9, { otherwise: say("b", { when: "false" }) })));
  expect(error?.message).toBe("/flow/nodes/0 (flaky) failed: TOOL_FAILED");
});

test("what ends the tree is neither tried again, nor made up for, nor borne", async () => {
  let deep = flowLoop(say("deepest"), { id: "level32" });
  const loops = [deep];
  for (let level = 31; level >= 2; level--) {
    deep = compositeLoop(`level${level}`, [step(`level${level + 1}`)]);
    loops.push(deep);
  }
  const { error, way } = await callFlow(
    {
      ...{ kind: "call", loopId: "level2", inputMapping: {} },
      retry: { strategy: "immediate", on: ["CHILD_FAILED", "TOOL_FAILED"] },
      otherwise: say("b"),
      onError: "continue",
    },
    { loops },
  );
  expect(error?.code).toBe("DEPTH_EXCEEDED");
  expect(way.filter((line) => line.includes("again") || line.includes("otherwise"))).toEqual([]);
});

test("a loop that is not registered fails the node alone", async () => {
  const { output, way } = await callFlow(
    sequence(
      sayMapped({ text: "$.input.missing.deeper" }, { onError: "continue", name: "a" }),
      sayMapped({ code: "$.a.error.code" }),
    ),
  );
  expect(output).toEqual({ code: "MAPPING_FAILED" });
  expect(way).toEqual(["/flow/nodes/1"]);
});
