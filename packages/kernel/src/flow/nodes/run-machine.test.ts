import type { FlowNode, StateSpec } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { callFlow, flaky, say, sayMapped, sequence } from "./sample-flow.test.data.ts";

function machine(
  states: Readonly<Record<string, StateSpec>>,
  fields: Partial<FlowNode> = {},
): FlowNode {
  return { kind: "machine", initial: "a", states, ...fields } as FlowNode;
}

const end: StateSpec = { body: say("end"), terminal: true };

test("states follow each other, and it gives what the last one gave", async () => {
  const { output, way } = await callFlow(
    machine({ a: { body: say("a"), transitions: [{ next: "b" }] }, b: end }),
  );
  expect(way).toEqual(["/flow/visits/0/body", "/flow/visits/1/body"]);
  expect(output).toEqual({ text: "end" });
});

test("an end without a body gives what the last body gave", async () => {
  const { output } = await callFlow(
    machine({ a: { body: say("a"), transitions: [{ next: "b" }] }, b: { terminal: true } }),
  );
  expect(output).toEqual({ text: "a" });
});

test("the first transition that holds is taken; one without a condition always is", async () => {
  const transitions = [
    { when: "result.output.text == 'other'", next: "b" },
    { when: "result.status == 'ok'", next: "c" },
    { next: "b" },
  ];
  const states = { a: { body: say("a"), transitions }, b: end, c: { ...end, body: say("c") } };
  expect(await callFlow(machine(states))).toMatchObject({ output: { text: "c" } });
  const always = { ...states, a: { body: say("a"), transitions: [{ next: "b" }, ...transitions] } };
  expect(await callFlow(machine(always))).toMatchObject({ output: { text: "end" } });
});

test("entry, body, exit: entry and exit only where another state is left or follows", async () => {
  const { way } = await callFlow(
    machine({
      a: {
        ...{ onEntry: say("in a"), body: say("a"), onExit: say("out of a") },
        transitions: [{ next: "b" }],
      },
      b: {
        ...{ onEntry: say("in b"), onExit: say("out of b") },
        body: sayMapped({ times: { cel: "last.text == 'a' ? 1 : 2" }, text: { const: "b" } }),
        transitions: [{ when: "result.output.times == 2", next: "c" }, { next: "b" }],
      },
      c: { onEntry: say("in c"), body: say("c"), onExit: say("out of c"), terminal: true },
    }),
  );
  expect(way).toEqual([
    "/flow/visits/0/body",
    "/flow/visits/0/onExit",
    "/flow/visits/1/onEntry",
    "/flow/visits/1/body",
    "/flow/visits/2/body",
    "/flow/visits/2/onExit",
    "/flow/visits/3/onEntry",
    "/flow/visits/3/body",
  ]);
});

test("the initial state is entered where another leads back to it, not at first", async () => {
  const { way } = await callFlow(
    machine({
      a: {
        ...{ onEntry: say("in a"), body: say("a") },
        transitions: [{ when: "has(states.b)", next: "c" }, { next: "b" }],
      },
      b: { body: say("b"), transitions: [{ next: "a" }] },
      c: { terminal: true },
    }),
  );
  expect(way).toEqual([
    "/flow/visits/0/body",
    "/flow/visits/1/body",
    "/flow/visits/2/onEntry",
    "/flow/visits/2/body",
  ]);
});

test("it knows what each state gave last; a path to one never met is left out", async () => {
  const { output } = await callFlow(
    machine({
      a: { body: say("a"), transitions: [{ next: "b" }] },
      b: {
        body: sayMapped({ a: "$.states.a.text", c: "$.states.c.text", last: "$.last.text" }),
        transitions: [{ next: "c" }],
      },
      c: { terminal: true },
    }),
  );
  expect(output).toEqual({ a: "a", last: "a" });
});

test("no transition that holds is a failure", async () => {
  const { error } = await callFlow(
    machine({ a: { body: say("a"), transitions: [{ when: "false", next: "b" }] }, b: end }),
  );
  expect(error).toEqual({
    code: "CHILD_FAILED",
    message: "no transition of /flow leads on from `a`",
  });
});

test("a body that fails ends it; one whose failure is its result leads on", async () => {
  const transitions = [
    { when: "result.status == 'error' && result.error.code == 'TOOL_FAILED'", next: "b" },
  ];
  const failed = await callFlow(machine({ a: { body: flaky(1), transitions }, b: end }));
  expect(failed.error?.message).toBe("/flow/visits/0/body (flaky) failed: TOOL_FAILED");
  const borne = { a: { body: flaky(1, { onError: "continue" }), transitions }, b: end };
  expect(await callFlow(machine(borne))).toMatchObject({ output: { text: "end" } });
});

test.each([
  [3, { output: { text: "end" } }],
  [2, { error: { code: "CHILD_FAILED", message: "/flow makes more than 2 transitions" } }],
])("transitions are bounded: %i", async (maxTransitions, expected) => {
  const flow = machine(
    {
      a: { body: say("a"), transitions: [{ next: "b" }] },
      b: { body: say("b"), transitions: [{ next: "b2" }] },
      b2: { body: say("b2"), transitions: [{ next: "c" }] },
      c: end,
    },
    { maxTransitions },
  );
  expect(await callFlow(flow)).toMatchObject(expected);
});

test("a machine in a machine has states of its own", async () => {
  const inner = machine(
    { x: { body: sayMapped({ outer: { cel: "states" } }), terminal: true } },
    { initial: "x", name: "inner" },
  );
  const { output, way } = await callFlow(
    machine({
      a: { body: say("a"), transitions: [{ next: "b" }] },
      b: {
        body: sequence(inner, sayMapped({ keys: "$.states", inner: "$.inner.output" })),
        terminal: true,
      },
    }),
  );
  expect(way).toEqual([
    "/flow/visits/0/body",
    "/flow/visits/1/body/nodes/0/visits/0/body",
    "/flow/visits/1/body/nodes/1",
  ]);
  expect(output).toEqual({ keys: { a: { text: "a" } }, inner: { outer: {} } });
});

test("a condition that gives no boolean fails it", async () => {
  const { error } = await callFlow(
    machine({ a: { body: say("a"), transitions: [{ when: "result.output", next: "b" }] }, b: end }),
  );
  expect(error).toEqual({
    code: "MAPPING_FAILED",
    message: "transition 0 from `a` of /flow: the condition gives no boolean: type-mismatch",
  });
});
