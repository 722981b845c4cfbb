import type { FlowNode } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { callFlow, flaky, say, sayMapped, sequence } from "./sample-flow.test.data.ts";

/** Counts its rounds: what each gives is `{ n, before }`. */
const counting = sayMapped({ n: { cel: "round + 1" }, before: "$.last.n" });

function repeat(fields: Partial<FlowNode>): FlowNode {
  return { kind: "repeat", max: 5, body: counting, ...fields } as FlowNode;
}

test("until is asked after each round, and a round knows the one before", async () => {
  const { output, way } = await callFlow(repeat({ until: "last.n == 3" }));
  expect(way).toEqual(["/flow/rounds/0", "/flow/rounds/1", "/flow/rounds/2"]);
  expect(output).toEqual({ n: 3, before: 2 });
});

test("the first round knows of none before: a path leaves its field out", async () => {
  const { output, way } = await callFlow(repeat({ until: "true" }));
  expect(way).toEqual(["/flow/rounds/0"]);
  expect(output).toEqual({ n: 1 });
});

test("while is asked before each round, also the first", async () => {
  const some = await callFlow(repeat({ while: "last == null || last.n < 2" }));
  expect(some).toMatchObject({ way: ["/flow/rounds/0", "/flow/rounds/1"], output: { n: 2 } });
  const none = await callFlow(repeat({ while: "round > 0" }));
  expect(none).toMatchObject({ way: [], output: null });
});

test.each([{ until: "false" }, { while: "true" }])(
  "no round follows the last: %o",
  async (given) => {
    const { error, way } = await callFlow(repeat({ ...given, max: 2 }));
    expect(error).toEqual({ code: "CHILD_FAILED", message: "/flow is not over after 2 rounds" });
    expect(way).toEqual(["/flow/rounds/0", "/flow/rounds/1"]);
  },
);

test.each([{ until: "false" }, { while: "true" }])(
  "after the last round it may go on with what that gave: %o",
  async (given) => {
    const { output } = await callFlow(repeat({ ...given, max: 2, onMax: "continue" }));
    expect(output).toEqual({ n: 2, before: 1 });
  },
);

test.each([{ until: "last.n == 2" }, { while: "last == null || last.n < 2" }])(
  "a condition that holds with the last round is in time: %o",
  async (given) => {
    expect(await callFlow(repeat({ ...given, max: 2 }))).toMatchObject({ output: { n: 2 } });
  },
);

test("a round that fails ends it", async () => {
  const { error, way } = await callFlow(repeat({ until: "false", body: flaky(1) }));
  expect(error?.code).toBe("CHILD_FAILED");
  expect(way).toEqual(["/flow/rounds/0", "/flow/rounds/0 failed"]);
});

test("a round whose failure is borne gives nothing", async () => {
  const body = flaky(1, { onError: "skip" });
  const { output, way } = await callFlow(repeat({ until: "last != null", body }));
  expect(output).toEqual({ calls: 2 });
  expect(way).toEqual([
    "/flow/rounds/0",
    "/flow/rounds/0 failed",
    "/flow/rounds/0 skipped: failed TOOL_FAILED",
    "/flow/rounds/1",
  ]);
});

test("names of a round end with it", async () => {
  const body = sequence(
    sayMapped({ text: { cel: "round == 0" } }, { name: "a", when: "round == 0" }),
    sayMapped({ isKnown: { cel: "a != null" } }),
  );
  const { output } = await callFlow(repeat({ until: "round == 1", body }));
  expect(output).toEqual({ isKnown: false });
});

test("a repeat in a repeat has rounds and a last of its own", async () => {
  const inner = repeat({ until: "round == 1", body: counting });
  const { output, way } = await callFlow(
    repeat({ until: "round == 1", body: sequence(inner, sayMapped({ n: "$.round" })) }),
  );
  expect(way).toEqual([
    "/flow/rounds/0/nodes/0/rounds/0",
    "/flow/rounds/0/nodes/0/rounds/1",
    "/flow/rounds/0/nodes/1",
    "/flow/rounds/1/nodes/0/rounds/0",
    "/flow/rounds/1/nodes/0/rounds/1",
    "/flow/rounds/1/nodes/1",
  ]);
  expect(output).toEqual({ n: 1 });
});

test("a condition that gives no boolean fails it", async () => {
  const { error } = await callFlow(repeat({ until: "last.missing", body: say("a") }));
  expect(error).toEqual({
    code: "MAPPING_FAILED",
    message: "`until` of /flow: the condition gives no boolean: field-missing",
  });
});
