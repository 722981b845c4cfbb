import { copyJson, type JsonValue } from "@turnseal/protocol";
import { expect, test } from "vitest";
import {
  DEPTH_MAX,
  INPUT_BYTES_MAX,
  OUTPUT_BYTES_MAX,
  PROBLEM_LENGTH_MAX,
  PROBLEMS_MAX,
  PROMPT_LENGTH_MAX,
  TRACE_EVENTS_MAX,
} from "../limits.ts";
import {
  codeOf,
  compositeLoop,
  openWorld,
  promptLoop,
  step,
  toolLoop,
  typesOf,
} from "./sample-world.test.data.ts";

/** A text that takes this many bytes as JSON. */
const jsonText = (bytes: number) => "x".repeat(bytes - 2);

test("an input fits up to INPUT_BYTES_MAX, and is refused beyond it", async () => {
  const world = openWorld({ loops: [toolLoop("size")], tools: { size: () => null } });
  expect((await world.call("size", jsonText(INPUT_BYTES_MAX))).result.status).toBe("ok");
  const call = await world.call("size", jsonText(INPUT_BYTES_MAX + 1));
  expect(codeOf(call)).toBe("INPUT_VALIDATION_FAILED");
  expect(JSON.stringify(call.events).length).toBeLessThan(2_000);
});

test("an output fits up to OUTPUT_BYTES_MAX, and is refused beyond it", async () => {
  const world = openWorld({
    loops: [toolLoop("size")],
    tools: { size: (input) => jsonText((input as { bytes: number }).bytes) },
  });
  expect((await world.call("size", { bytes: OUTPUT_BYTES_MAX })).result.status).toBe("ok");
  const call = await world.call("size", { bytes: OUTPUT_BYTES_MAX + 1 });
  expect(codeOf(call)).toBe("OUTPUT_VALIDATION_FAILED");
});

test("bytes are counted, not characters", async () => {
  const world = openWorld({ loops: [toolLoop("size")], tools: { size: () => null } });
  const text = "ä".repeat(INPUT_BYTES_MAX / 2 - 1);
  expect((await world.call("size", text)).result.status).toBe("ok");
  expect(codeOf(await world.call("size", `${text}ä`))).toBe("INPUT_VALIDATION_FAILED");
});

test("a model's answer of more than OUTPUT_BYTES_MAX is refused before it is parsed", async () => {
  const answerWith = (length: number) => ({
    defaultModel: "large",
    generate: async () => ({
      content: [{ kind: "text", text: `[${" ".repeat(length - 2)}]` } as const],
      finishReason: "stop" as const,
      usage: { inputTokens: 0, outputTokens: 0 },
    }),
  });
  for (const [length, status] of [
    [OUTPUT_BYTES_MAX, "ok"],
    [OUTPUT_BYTES_MAX + 1, "error"],
  ] as const) {
    const world = openWorld({
      loops: [promptLoop("ask")],
      models: { sample: answerWith(length) },
    });
    expect((await world.call("ask")).result.status).toBe(status);
  }
});

test("a prompt may have up to PROMPT_LENGTH_MAX units, and is not sent beyond it", async () => {
  const repeats = 5;
  const word = "x".repeat(Math.floor(PROMPT_LENGTH_MAX / repeats));
  const ask = async (rest: number) => {
    const template = "{{word}}".repeat(repeats) + "y".repeat(rest);
    const loop = promptLoop("ask", { prompt: { template, variables: ["word"] } });
    const { backend: _, ...scripted } = loop;
    return openWorld({
      loops: [{ ...scripted, outputSchema: { required: ["never"] } }],
    }).call("ask", { word });
  };
  const rest = PROMPT_LENGTH_MAX - word.length * repeats;
  const fitting = await ask(rest);
  expect(fitting.events[2]?.content).toMatchObject({ promptLength: PROMPT_LENGTH_MAX });
  const exceeding = await ask(rest + 1);
  expect(codeOf(exceeding)).toBe("BUDGET_EXCEEDED");
  expect(typesOf(exceeding)).not.toContain("call.backend.requested");
});

/** A chain of composites with a tool at its end: `depth` calls inside each other. */
function createChain(depth: number) {
  const composites = Array.from({ length: depth - 1 }, (_, index) =>
    compositeLoop(`level-${index}`, [step(index === depth - 2 ? "leaf" : `level-${index + 1}`)]),
  );
  return openWorld({ loops: [...composites, toolLoop("leaf")], tools: { leaf: () => "reached" } });
}

test("calls nest up to DEPTH_MAX, and no deeper", async () => {
  expect((await createChain(DEPTH_MAX).call("level-0")).result).toMatchObject({
    status: "ok",
    output: "reached",
  });
  const call = await createChain(DEPTH_MAX + 1).call("level-0");
  expect(codeOf(call)).toBe("DEPTH_EXCEEDED");
  // The code is kept on the way up, and every level that was open is closed.
  const errored = call.result.trace.filter((event) => event.type === "call.errored");
  expect(errored).toHaveLength(DEPTH_MAX);
  expect(new Set(errored.map(({ payload }) => payload?.["code"]))).toEqual(
    new Set(["DEPTH_EXCEEDED"]),
  );
});

test("a loop that calls itself ends at the depth limit", async () => {
  const call = await openWorld({ loops: [compositeLoop("self", [step("self")])] }).call("self");
  expect(codeOf(call)).toBe("DEPTH_EXCEEDED");
});

test("a tool may fill the trace up to TRACE_EVENTS_MAX, and is refused beyond it", async () => {
  const before = ["call.started", "call.input.validated", "action.claimed"].length;
  const room = TRACE_EVENTS_MAX - before;
  const refusals: unknown[] = [];
  const world = openWorld({
    loops: [toolLoop("chatty")],
    tools: {
      chatty: (input, { log, emit }) => {
        for (let count = 0; count < (input as { lines: number }).lines; count++) {
          try {
            if (count % 2 === 0) log("debug", "line");
            else emit("acme.line");
          } catch (error) {
            refusals.push(error);
          }
        }
        return null;
      },
    },
  });
  const fitting = await world.call("chatty", { lines: room });
  expect(refusals).toEqual([]);
  expect(fitting.result.status).toBe("ok");
  const exceeding = await world.call("chatty", { lines: room + 1 });
  expect(refusals).toMatchObject([{ code: "EVENT_TRACE_FULL", retry: "never" }]);
  // Events that close the call always fit.
  expect(typesOf(exceeding).at(-1)).toBe("call.completed");
  expect(exceeding.events).toHaveLength(TRACE_EVENTS_MAX + 3);
});

test("a composite starts no step once its trace is full", async () => {
  const lines = (count: number) => step("chatty", { count: { const: count } });
  const before = 2 + ["child.started", "call.started", "input", "claimed"].length;
  const after = ["settled", "output", "completed", "child.completed"].length;
  const world = openWorld({
    loops: [
      toolLoop("chatty"),
      compositeLoop("fits", [lines(TRACE_EVENTS_MAX - before - after - 1), lines(0)]),
      compositeLoop("full", [lines(TRACE_EVENTS_MAX - before - after), lines(0)]),
      compositeLoop("outer", [step("full"), lines(0)]),
    ],
    tools: {
      chatty: (input, { log }) => {
        const { count } = input as { count: number };
        for (let line = 0; line < count; line++) log("debug", "");
        return null;
      },
    },
  });
  expect((await world.call("fits")).result.status).toBe("ok");
  const full = await world.call("full");
  expect(codeOf(full)).toBe("BUDGET_EXCEEDED");
  expect(typesOf(full).filter((type) => type === "child.started")).toHaveLength(1);
  expect(codeOf(await world.call("outer"))).toBe("BUDGET_EXCEEDED");
});

test("composites that multiply their steps end at the trace limit", async () => {
  const wide = (id: string, below: string) => compositeLoop(id, Array(200).fill(step(below)));
  const world = openWorld({
    loops: [wide("a", "b"), wide("b", "c"), wide("c", "d"), toolLoop("d")],
    tools: { d: () => null },
  });
  const call = await world.call("a");
  expect(codeOf(call)).toBe("BUDGET_EXCEEDED");
  expect(call.events.length).toBeLessThan(TRACE_EVENTS_MAX + 100);
});

test("an error names at most PROBLEMS_MAX problems of PROBLEM_LENGTH_MAX units", async () => {
  const world = openWorld({
    loops: [toolLoop("strict", { inputSchema: { additionalProperties: { type: "string" } } })],
    tools: { strict: () => null },
  });
  const problemsOf = async (input: JsonValue) => {
    const { result } = await world.call("strict", input);
    return result.status === "error" ? (result.error.details.problems ?? []) : [];
  };
  const fields = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`field${index}`, index]));
  expect(await problemsOf(fields(PROBLEMS_MAX))).toHaveLength(PROBLEMS_MAX);
  expect(await problemsOf(fields(PROBLEMS_MAX + 1))).toHaveLength(PROBLEMS_MAX);
  const rest = "/: must be string".length;
  for (const length of [PROBLEM_LENGTH_MAX - rest, PROBLEM_LENGTH_MAX - rest + 1]) {
    const [problem] = await problemsOf({ ["k".repeat(length)]: 1 });
    expect(problem).toHaveLength(PROBLEM_LENGTH_MAX);
  }
});

test("what cannot be taken is reported as short, however long the names above it are", async () => {
  const world = openWorld({ loops: [toolLoop("size")], tools: { size: () => null } });
  const input = { ["k".repeat(100_000)]: { run: () => 1 } };
  expect(copyJson(input, INPUT_BYTES_MAX).kind).toBe("refused");
  const { result } = await world.call("size", input);
  expect(result.status === "error" && result.error.details.problems?.[0]).toHaveLength(
    PROBLEM_LENGTH_MAX,
  );
});
