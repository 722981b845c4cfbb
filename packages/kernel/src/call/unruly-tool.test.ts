/** Tools are code of others: after anything they do, the call ends with one result. */
import { manualClock, type Tool } from "@turnseal/ports";
import { REASON_LENGTH_MAX } from "@turnseal/protocol";
import { needsAnswer } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import { codeOf, openWorld, type SampleCall, toolLoop } from "./sample-world.test.data.ts";

const callTool = (tool: Tool): Promise<SampleCall> =>
  openWorld({ loops: [toolLoop("unruly")], tools: { unruly: tool } }).call("unruly");

const throwNow = (): never => {
  throw new Error("thrown while it was read");
};
const throwing =
  (thrown: unknown): Tool =>
  () => {
    throw thrown;
  };

test.each<[string, unknown, string | undefined]>([
  ["an error", new Error("no luck"), "no luck"],
  ["a text", "no luck", "no luck"],
  ["null", null, "null"],
  ["undefined", undefined, "undefined"],
  ["a number", 7, "7"],
  ["an object that cannot be a text", { toString: throwNow }, undefined],
  ["an object without a prototype", Object.create(null), undefined],
  [
    "an error whose message cannot be read",
    Object.defineProperty(new Error(), "message", { get: throwNow }),
    undefined,
  ],
  [
    "an error whose message is no text",
    Object.defineProperty(new Error(), "message", { value: {} }),
    undefined,
  ],
  ["a symbol", Symbol("luck"), "Symbol(luck)"],
  ["a proxy that throws", new Proxy({}, { get: throwNow, getPrototypeOf: throwNow }), undefined],
  ["a lone surrogate", new Error("\ud800"), "\ufffd"],
])("a tool that throws %s is TOOL_FAILED", async (_, thrown, reason) => {
  for (const tool of [throwing(thrown), async () => Promise.reject(thrown)] as const) {
    const { result } = await callTool(tool);
    expect(result).toMatchObject({ status: "error", error: { code: "TOOL_FAILED" } });
    expect(result.status === "error" && result.error.reason).toBe(reason);
  }
});

test("a reason is kept up to REASON_LENGTH_MAX, and cut beyond it", async () => {
  for (const length of [REASON_LENGTH_MAX, REASON_LENGTH_MAX + 1]) {
    const { result } = await callTool(throwing(new Error("x".repeat(length))));
    expect(result.status === "error" && result.error.reason).toHaveLength(REASON_LENGTH_MAX);
  }
});

const cyclic: Record<string, unknown> = {};
cyclic["self"] = cyclic;

test.each<[string, unknown]>([
  ["nothing", undefined],
  ["a date", new Date(0)],
  ["a function", () => 1],
  ["a function inside", { run: () => 1 }],
  ["a cycle", cyclic],
  ["a big integer", 1n],
  ["a symbol", Symbol("a")],
  ["not a number", Number.NaN],
  ["infinity", { value: Number.POSITIVE_INFINITY }],
  ["a map", new Map([["a", 1]])],
  ["an instance", new (class Sample {})()],
  ["a lone surrogate", { text: "\udc00" }],
  ["a field named __proto__", JSON.parse('{"__proto__": {"polluted": 1}}')],
  [
    "a field that cannot be read",
    Object.defineProperty({}, "a", { enumerable: true, get: throwNow }),
  ],
  ["a proxy that throws", new Proxy({}, { ownKeys: throwNow })],
  ["more than it may", "x".repeat(1_100_000)],
  ["a list without end", new Array(2 ** 31)],
])("a tool that answers with %s is OUTPUT_VALIDATION_FAILED", async (_, output) => {
  expect(codeOf(await callTool(() => output))).toBe("OUTPUT_VALIDATION_FAILED");
  expect(Object.prototype).not.toHaveProperty("polluted");
});

test("a thenable that throws, or answers twice, is heard once", async () => {
  const twice = {
    // biome-ignore lint/suspicious/noThenProperty: a tool may answer with a hostile thenable.
    then: (resolve: (value: unknown) => void, reject: (error: unknown) => void) => {
      resolve("first");
      reject(new Error("second"));
      resolve("third");
    },
  };
  expect((await callTool(() => twice)).result).toMatchObject({ output: "first" });
  // biome-ignore lint/suspicious/noThenProperty: as above.
  expect(codeOf(await callTool(() => ({ then: throwNow })))).toBe("TOOL_FAILED");
});

test("a tool that never yields and answers after its deadline is TIMEOUT", async () => {
  const clock = manualClock();
  const late: Tool = () => {
    clock.jump(clock.now() + 30_000);
    return "late";
  };
  const world = openWorld({ loops: [toolLoop("late")], tools: { late }, clock });
  expect(codeOf(await world.call("late"))).toBe("TIMEOUT");
});

test("a tool that fails after its deadline is TIMEOUT too", async () => {
  const clock = manualClock();
  const late: Tool = () => {
    clock.jump(clock.now() + 30_000);
    throw new Error("late");
  };
  const world = openWorld({ loops: [toolLoop("late")], tools: { late }, clock });
  expect(codeOf(await world.call("late"))).toBe("TIMEOUT");
});

test("a tool that needs an answer (TOOL_NEEDS_ANSWER) is told that only a run asks", async () => {
  const asking = throwing(needsAnswer({ question: "Which?", schema: { type: "object" } }));
  const { result } = await callTool(asking);
  expect(result).toMatchObject({ status: "error", error: { code: "TOOL_FAILED" } });
  expect(result.status === "error" && result.error.reason).toBe(
    "it needs an answer, which only a run can ask for",
  );
});
