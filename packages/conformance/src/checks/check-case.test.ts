/**
 * A case that passes, and the messages of each kind of expectation when the program does otherwise.
 */
import { describe, expect, test } from "vitest";
import type { SeenCall, SeenEvent } from "../program/answers.ts";
import type { CallExpectation, CaseExpectation } from "../vectors/conformance-case.ts";
import { checkCase, type Observation } from "./check-case.ts";

function event(callId: string, type: string, payload = {}): SeenEvent {
  return { callId, ts: "2024-05-06T07:08:09.000Z", type, payload };
}

function traceOf(callId: string, durationMs = 3): SeenEvent[] {
  return [
    event(callId, "call.started", { loopId: "a", loopVersion: "1.0.0" }),
    event(callId, "call.tool.invoked", { toolName: "t" }),
    event(callId, "call.completed", { totalDurationMs: durationMs }),
  ];
}

const call: SeenCall = {
  result: { status: "ok", output: { a: 1 }, trace: traceOf("x") },
  inputAfter: { b: 2 },
  backendRequests: [{ backend: "test", prompt: "Hi" }],
  toolCalls: [{ tool: "t", input: {}, refused: [] }],
};
const seen: Observation = {
  documents: [{ kind: "accepted", id: "a", version: "1.0.0" }],
  list: [{ id: "a", version: "1.0.0" }],
  got: [{ id: "a" }],
  calls: [call],
};
const rejected = {
  kind: "rejected",
  problems: [{ path: "/name", message: "is missing" }],
} as const;

const completed = { call: 0, type: "call.completed" };

function problemsOf(expected: CaseExpectation, observation: Partial<Observation> = {}): string[] {
  return checkCase(expected, { ...seen, ...observation });
}

describe("checkCase", () => {
  test("finds nothing when everything is as expected", () => {
    const expected: CaseExpectation = {
      documents: [{ kind: "accepted" }],
      list: [{ id: "a", version: "1.0.0" }],
      got: [{ id: "a" }],
      calls: [
        {
          status: "ok",
          output: { a: 1 },
          inputAfter: { b: 2 },
          backendRequests: [{ prompt: "Hi" }],
          toolCalls: [{ tool: "t", refused: [] }],
          trace: [
            { call: 0, type: "call.started", payload: { loopId: "a" } },
            { call: 0, type: "call.tool.invoked" },
            { call: 0, type: "call.completed" },
          ],
          includes: [{ call: 0, type: "call.started" }, completed],
          counts: { "call.started": 1, log: 0 },
          payloads: [{ type: "call.tool.invoked", keys: ["toolName"], texts: ["toolName"] }],
          rules: ["one-terminal-event"],
        },
      ],
    };
    expect(problemsOf(expected)).toEqual([]);
  });

  test("needs every document that it says nothing of", () => {
    expect(problemsOf({ list: seen.list }, { documents: [rejected] })).toEqual([
      "document 0 was rejected, not accepted (/name is missing)",
    ]);
  });

  test("sees a document wrongly accepted, and a problem that names another field", () => {
    expect(problemsOf({ documents: [{ kind: "rejected" }] })).toHaveLength(1);
    const expected = { kind: "rejected", mentions: "name" } as const;
    expect(problemsOf({ documents: [expected] }, { documents: [rejected] })).toEqual([]);
    expect(
      problemsOf({ documents: [{ ...expected, mentions: "kind" }] }, { documents: [rejected] }),
    ).toHaveLength(1);
  });

  test("sees another list and another document", () => {
    expect(problemsOf({ list: [] })).toHaveLength(1);
    expect(problemsOf({ got: [{ id: "b" }] })).toHaveLength(1);
    expect(problemsOf({ got: [null] })).toHaveLength(1);
  });

  test.each<[string, CallExpectation]>([
    ["status", { status: "error" }],
    ["output", { output: { a: 2 } }],
    ["output with less in it", { output: {} }],
    ["error", { error: { code: "TOOL_FAILED" } }],
    ["input afterwards", { inputAfter: {} }],
    ["number of requests", { backendRequests: [] }],
    ["prompt", { backendRequests: [{ prompt: "Ho" }] }],
    ["number of tool calls", { toolCalls: [] }],
    ["order of events", { trace: [{ call: 0, type: "call.completed" }] }],
    ["order of some events", { includes: [completed, { call: 0, type: "call.started" }] }],
    ["payload of some event", { includes: [{ ...completed, payload: { totalDurationMs: 4 } }] }],
    ["call of some event", { includes: [{ ...completed, call: 1 }] }],
    ["number of events", { counts: { "call.completed": 0 } }],
    ["payload", { payloads: [{ type: "call.started", keys: ["loopId"] }] }],
    [
      "value",
      { payloads: [{ type: "call.tool.invoked", keys: ["toolName"], values: { toolName: "u" } }] },
    ],
    [
      "kind of number",
      { payloads: [{ type: "call.tool.invoked", keys: ["toolName"], durations: ["toolName"] }] },
    ],
    [
      "kind of count",
      { payloads: [{ type: "call.tool.invoked", keys: ["toolName"], counts: ["toolName"] }] },
    ],
    ["missing type of event", { payloads: [{ type: "log", keys: [] }] }],
  ])("sees another %s", (_, expected) => {
    expect(problemsOf({ calls: [expected] })).toHaveLength(1);
  });

  test("sees a failed result that carries an output", () => {
    const error = { code: "TOOL_FAILED", message: "t failed" };
    const failed = { ...call, result: { ...call.result, status: "error" as const, error } };
    expect(problemsOf({ calls: [{ status: "error" }] }, { calls: [failed] })).toEqual([
      "call 0: a result has an output if and only if its status is ok",
    ]);
  });

  test("compares the details of an error as far as they are expected", () => {
    const error = {
      code: "CHILD_FAILED",
      message: "m",
      details: { step: { index: 1, code: "X" } },
    };
    const failed = { ...call, result: { status: "error" as const, error, trace: [] } };
    const expected = (index: number) => ({
      calls: [{ error: { code: "CHILD_FAILED", details: { step: { index } } } }],
    });
    expect(problemsOf(expected(1), { calls: [failed] })).toEqual([]);
    expect(problemsOf(expected(2), { calls: [failed] })).toHaveLength(1);
  });

  test("sees a call that was not answered", () => {
    expect(problemsOf({ calls: [{ status: "ok" }] }, { calls: [] })).toHaveLength(1);
  });
});

describe("checks between calls", () => {
  const parentTrace = [
    event("p", "call.started", { loopId: "pair", loopVersion: "1.0.0" }),
    event("p", "child.started", { childCallId: "c", loopId: "a", stepIndex: 0 }),
    ...traceOf("c", 8).map((item) =>
      item.type === "call.started"
        ? { ...item, payload: { ...item.payload, parentCallId: "p" } }
        : item,
    ),
    event("p", "child.completed", { childCallId: "c", status: "ok" }),
    event("p", "call.completed", { totalDurationMs: 9 }),
  ];
  const parent: SeenCall = { ...call, result: { ...call.result, trace: parentTrace } };
  const sameTrace = [{ call: 0, child: 1, alone: 1 }];

  test("a child's part equals its own trace but for ids, times and durations", () => {
    expect(problemsOf({ sameTrace }, { calls: [parent, call] })).toEqual([]);
  });

  test("a child that says more, or is not there, is seen", () => {
    const [first, ...rest] = traceOf("x");
    const longer = [first ?? event("", ""), event("x", "log"), ...rest];
    const alone = { ...call, result: { ...call.result, trace: longer } };
    expect(problemsOf({ sameTrace }, { calls: [parent, alone] })).toHaveLength(1);
    expect(problemsOf({ sameTrace }, { calls: [call, call] })).toHaveLength(1);
  });

  test("calls that share an id are seen, also when one has an event of the other", () => {
    const other = { ...call, result: { ...call.result, trace: traceOf("y") } };
    const mixed = {
      ...call,
      result: { ...call.result, trace: [...traceOf("y"), event("x", "log")] },
    };
    expect(problemsOf({ apart: true }, { calls: [call, other] })).toEqual([]);
    expect(problemsOf({ apart: true }, { calls: [call, call] })).toHaveLength(1);
    expect(problemsOf({ apart: true }, { calls: [call, mixed] })).toHaveLength(1);
  });
});
