import { expect, test } from "vitest";
import { VALUE_DEPTH_MAX } from "../copy-json.ts";
import { SUMMARIES_MAX } from "../guidance/guidance.ts";
import { BOUND_MAX, NEXT_INPUT_FIELDS_MAX, parseBounds } from "./parse-bounds.ts";
import {
  AWAITS_MAX,
  SCHEDULE_PAYLOAD_BYTES_MAX,
  SCHEDULES_MAX,
  SIGNAL_NAME_LENGTH_MAX,
} from "./parse-schedules.ts";
import {
  FAILURES_MAX_DEFAULT,
  RESUMES_MAX_DEFAULT,
  type RunBounds,
  TURNS_MAX_DEFAULT,
} from "./run-spec.ts";

const defaults = {
  failuresMax: FAILURES_MAX_DEFAULT,
  resumesMax: RESUMES_MAX_DEFAULT,
};

const tick = { name: "tick", cron: "0 9 * * 1-5", timezone: "Europe/Berlin" };
const names = (count: number) => Array.from({ length: count }, (_, index) => `n${index}`);
const nest = (depth: number) => {
  let value: unknown = 1;
  for (let level = 0; level < depth; level++) value = [value];
  return value;
};
const fieldsOf = (count: number) =>
  Object.fromEntries(names(count).map((name) => [name, "$.output"]));
/** A text that takes so many bytes as JSON. */
const textOf = (bytes: number) => "a".repeat(bytes - 2);

const turnsMax = TURNS_MAX_DEFAULT;

test.each([
  [{ awaits: ["message"] }, {}],
  [{ awaits: ["message"], turnsMax: 3 }, {}],
  [{ awaits: ["message"], onRoundsExhausted: "stop" }, {}],
  // Turns that begin by themselves are counted.
  [{ awaits: ["message"], onRoundsExhausted: "continue" }, { turnsMax }],
  [{ awaits: names(AWAITS_MAX) }, {}],
  [{ awaits: ["a".repeat(SIGNAL_NAME_LENGTH_MAX)] }, {}],
  [{ awaits: ["tick", "message"], schedules: [tick] }, {}],
])("%j has no number of turns unless it says one", (given, changed) => {
  const ofConversations = { onReject: "tell", onFailure: "wait" };
  expect(parseBounds(given)).toEqual({ ...ofConversations, ...defaults, ...given, ...changed });
});

test("a failure waits for the next message in a conversation, and stops any other run", () => {
  const boundsOf = (given: object) => parseBounds(given) as Partial<RunBounds>;
  expect(boundsOf({ awaits: ["message"] }).onFailure).toBe("wait");
  expect(boundsOf({ awaits: ["message"], onFailure: "stop" }).onFailure).toBe("stop");
  expect(boundsOf({ schedules: [tick] })).not.toHaveProperty("onFailure");
  expect(boundsOf({})).not.toHaveProperty("onFailure");
  expect(parseBounds({ onFailure: "go on" })).toEqual({
    problem: "`onFailure` is `stop` or `wait`",
  });
});

test("a no is told in a conversation unless it says otherwise, and stops any other run", () => {
  const boundsOf = (given: object) => parseBounds(given) as Partial<RunBounds>;
  expect(boundsOf({ awaits: ["message"] }).onReject).toBe("tell");
  expect(boundsOf({ awaits: ["message"], onReject: "stop" }).onReject).toBe("stop");
  expect(boundsOf({ awaits: ["tick"], schedules: [tick] })).not.toHaveProperty("onReject");
  expect(boundsOf({ onReject: "tell" }).onReject).toBe("tell");
});

test.each([
  [{}, {}],
  [{ turnsMax: 1 }, {}],
  [{ turnsMax: BOUND_MAX, failuresMax: BOUND_MAX, resumesMax: BOUND_MAX }, {}],
  [{ summaries: 0 }, {}],
  [{ summaries: SUMMARIES_MAX }, {}],
  [{ goal: { path: "$.output.done", equals: null } }, {}],
  [{ goal: { path: "$.output.score", atLeast: 0.5 } }, {}],
  [{ nextInput: { a: "$.output.a", b: "literal:x", c: { const: [1] } } }, {}],
  [{ nextInput: fieldsOf(NEXT_INPUT_FIELDS_MAX) }, {}],
  // The mapping and the field hold the constant.
  [{ nextInput: { a: { const: nest(VALUE_DEPTH_MAX - 2) } } }, {}],
  [{ goal: { path: "$.output", equals: nest(VALUE_DEPTH_MAX) } }, {}],
  [{ schedules: [tick] }, { awaits: ["tick"] }],
  [{ awaits: ["tick"], schedules: [tick] }, {}],
  [
    { schedules: names(SCHEDULES_MAX).map((name) => ({ ...tick, name })) },
    {
      awaits: names(SCHEDULES_MAX),
    },
  ],
  [{ schedules: [{ ...tick, payload: textOf(SCHEDULE_PAYLOAD_BYTES_MAX) }] }, { awaits: ["tick"] }],
  [{ deadlineAt: "2030-01-31T00:00:00Z" }, { deadlineAt: "2030-01-31T00:00:00.000Z" }],
])("%j is taken, with the defaults filled in", (given, changed) => {
  expect(parseBounds(given)).toEqual({ turnsMax, ...defaults, ...given, ...changed });
});

test.each([
  [null, "are an object"],
  [{ turns: 3 }, "`turns` is not"],
  [{ constructor: 3 }, "`constructor` is not"],
  [{ turnsMax: "many" }, "`turnsMax`"],
  [{ turnsMax: 0 }, "`turnsMax`"],
  [{ turnsMax: 1.5 }, "`turnsMax`"],
  [{ turnsMax: BOUND_MAX + 1 }, "`turnsMax`"],
  [{ failuresMax: -1 }, "`failuresMax`"],
  [{ resumesMax: Number.NaN }, "`resumesMax`"],
  [{ onReject: "ask" }, "`onReject` is `stop` or `tell`"],
  [{ noDrift: "yes" }, "`noDrift` is true or false"],
  [{ summaries: SUMMARIES_MAX + 1 }, "`summaries`"],
  [{ deadlineAt: "tomorrow" }, "`deadlineAt`"],
  [{ goal: { path: "output", equals: 1 } }, "`goal`"],
  [{ goal: { path: "$.output" } }, "`goal`"],
  [{ goal: { path: "$.output", equals: 1, atLeast: 1 } }, "`goal`"],
  [{ goal: { path: "$.output", atLeast: "1" } }, "`goal`"],
  [{ goal: { path: "$.output", equals: 1, more: 1 } }, "`goal`"],
  [{ nextInput: { a: "output" } }, "`nextInput`"],
  [{ nextInput: { a: { value: 1 } } }, "`nextInput`"],
  [{ nextInput: fieldsOf(NEXT_INPUT_FIELDS_MAX + 1) }, "`nextInput`"],
  [{ nextInput: { a: { const: nest(VALUE_DEPTH_MAX - 1) } } }, "`nextInput`"],
  [{ nextInput: { a: { const: Number.NaN } } }, "`nextInput`"],
  [{ nextInput: { "\ud800": "$.output" } }, "`nextInput`"],
  [{ goal: { path: "$.output", equals: nest(VALUE_DEPTH_MAX + 1) } }, "`goal`"],
  [{ awaits: ["a\0b"] }, "`awaits`"],
  [{ awaits: ["\ud800"] }, "`awaits`"],
  [{ awaits: [] }, "`awaits`"],
  [{ awaits: "message" }, "`awaits`"],
  [{ awaits: ["a", "a"] }, "`awaits`"],
  [{ awaits: [""] }, "`awaits`"],
  [{ awaits: names(AWAITS_MAX + 1) }, "`awaits`"],
  [{ awaits: ["a".repeat(SIGNAL_NAME_LENGTH_MAX + 1)] }, "`awaits`"],
  [{ awaits: names(AWAITS_MAX), schedules: [tick] }, "with the names of schedules"],
  [{ schedules: [] }, "`schedules`"],
  [{ schedules: [{ name: "tick" }] }, "`schedules`"],
  [{ schedules: [tick, tick] }, "`schedules`"],
  [{ schedules: [{ ...tick, cron: "* * * * * *" }] }, "`schedules`"],
  [{ schedules: [{ ...tick, cron: "@daily" }] }, "`schedules`"],
  [{ schedules: [{ ...tick, timezone: "../etc" }] }, "`schedules`"],
  [{ schedules: [{ ...tick, more: 1 }] }, "`schedules`"],
  [{ schedules: [{ ...tick, payload: () => 1 }] }, "`schedules`"],
  [{ schedules: [{ ...tick, payload: textOf(SCHEDULE_PAYLOAD_BYTES_MAX + 1) }] }, "`schedules`"],
  [{ schedules: names(SCHEDULES_MAX + 1).map((name) => ({ ...tick, name })) }, "`schedules`"],
])("%j is refused", (given, problem) => {
  expect(parseBounds(given)).toEqual({ problem: expect.stringContaining(problem) });
});
