import { memoryLiveBus, scriptedModel } from "@turnseal/ports";
import type { JsonValue, LoopDef, LoopPolicy } from "@turnseal/protocol";
import { expect, test } from "vitest";
import type { ToolBindings } from "../actions/bind-tools.ts";
import {
  compositeLoop,
  openWorld,
  promptLoop,
  step,
  toolLoop,
} from "../call/sample-world.test.data.ts";
import { checkLoop } from "../definition/check-loop.ts";
import { FILTERS_MAX } from "../limits.ts";
import {
  crashAt,
  openRun,
  registerAll,
  type SampleRunOptions,
} from "../turn/sample-run.test.data.ts";

type Filter = (value: JsonValue) => unknown;

const asFilter = (filter: Filter): ToolBindings[string] => ({
  effect: "read",
  build: "1",
  run: (input) => filter((input as { readonly value: JsonValue }).value),
});

function openFiltered(
  filters: Readonly<Record<string, Filter>>,
  policy: LoopPolicy,
  options: Partial<SampleRunOptions> & { readonly fields?: Partial<LoopDef> } = {},
) {
  const model = scriptedModel(["the answer"]);
  const names = Object.keys(filters);
  const { fields = {}, ...rest } = options;
  const run = openRun({
    loops: [promptLoop("ask", { policy, ...fields }), ...names.map((name) => toolLoop(name))],
    model,
    tools: Object.fromEntries(
      Object.entries(filters).map(([name, filter]) => [`local.${name}`, asFilter(filter)]),
    ),
    input: { word: "hello" },
    ...rest,
  });
  return { run, model };
}

const first = { inputFilters: [{ loopId: "one" }] };
const last = { outputFilters: [{ loopId: "one" }] };

test("filters see the value, let it pass, and are recorded as children", async () => {
  const seen: JsonValue[] = [];
  const pass: Filter = (value) => {
    seen.push(value);
    return { allow: true };
  };
  const { run, model } = openFiltered(
    { one: pass, two: pass },
    { ...first, outputFilters: [{ loopId: "two" }] },
  );
  expect(await run.turn()).toMatchObject({ outcome: "completed", output: { text: "the answer" } });
  expect(seen).toEqual([{ word: "hello" }, { text: "the answer" }]);
  expect(await run.contents("child.started")).toMatchObject([
    { loop: "one", step: 0 },
    { loop: "two", step: 0 },
  ]);
  expect(model.requests).toHaveLength(1);
  expect((await run.contents("action.claimed"))[1]).toMatchObject({
    action: "model",
    filtered: true,
  });
});

test("each filter is given what the one before it made of the value", async () => {
  const add =
    (letter: string): Filter =>
    (value) => {
      const { word } = value as { readonly word: string };
      return { allow: true, value: { word: word + letter } };
    };
  const policy = { inputFilters: [{ loopId: "one" }, { loopId: "two" }] };
  const { run, model } = openFiltered({ one: add("a"), two: add("b") }, policy);
  expect(await run.turn()).toMatchObject({ outcome: "completed" });
  expect(model.requests[0]?.messages).toEqual([{ role: "user", text: "Say helloab" }]);
});

test("what an output filter puts in the place of the output is what the prompt gives", async () => {
  const { run } = openFiltered({ one: () => ({ allow: true, value: { text: "***" } }) }, last);
  expect(await run.turn()).toMatchObject({ outcome: "completed", output: { text: "***" } });
});

test.each([
  ["input", first, 0],
  ["output", last, 1],
])(
  "a refusal of the %s has a name, and its words are only for the caller",
  async (side, policy, asked) => {
    const { run, model } = openFiltered(
      { one: () => ({ allow: false, reason: "it names a person" }) },
      policy,
    );
    expect(await run.turn()).toMatchObject({ outcome: "denied", words: "it names a person" });
    const [errored] = await run.contents("call.errored");
    expect(errored).toMatchObject({
      code: "POLICY_DENIED",
      details: { denial: `${side}-refused` },
    });
    expect(JSON.stringify(await run.events())).not.toContain("names a person");
    expect(model.requests).toHaveLength(asked);
  },
);

test("after a refusal no further filter is asked", async () => {
  const policy = { inputFilters: [{ loopId: "one" }, { loopId: "two" }] };
  const asked: string[] = [];
  const { run } = openFiltered(
    {
      one: () => ({ allow: false }),
      two: () => {
        asked.push("two");
        return { allow: true };
      },
    },
    policy,
  );
  expect(await run.turn()).toMatchObject({ outcome: "denied" });
  expect(asked).toEqual([]);
});

test.each<[string, Filter]>([
  ["nothing", () => null],
  ["yes in words", () => ({ allow: "true" })],
  ["a value alone", () => ({ value: 1 })],
  ["more than it may", () => ({ allow: true, because: "of this" })],
  ["a list", () => [true]],
  [
    "an exception",
    () => {
      throw new Error("broken");
    },
  ],
])("a filter that answers with %s is a no", async (_, filter) => {
  for (const policy of [first, last]) {
    const { run } = openFiltered({ one: filter }, policy);
    expect(await run.turn()).toMatchObject({ outcome: "denied" });
    const errors = await run.contents("call.errored");
    expect(errors.at(-1)).toMatchObject({ details: { denial: "filter-failed" } });
  }
});

test("what a filter makes of an input must be one, and of an output too", async () => {
  const fields = {
    inputSchema: { type: "object", required: ["word"] },
    outputSchema: { type: "object", required: ["text"] },
  };
  const spoil = { one: () => ({ allow: true, value: {} }) };
  const before = openFiltered(spoil, first, { fields });
  expect(await before.run.turn()).toMatchObject({ reason: "INPUT_VALIDATION_FAILED" });
  expect(before.model.requests).toEqual([]);
  const after = openFiltered(spoil, last, { fields });
  expect(await after.run.turn()).toMatchObject({ reason: "OUTPUT_VALIDATION_FAILED" });
});

test("a filter needs the grant like any tool, and without it the prompt is refused", async () => {
  const { run, model } = openFiltered({ one: () => ({ allow: true }) }, first, {
    grant: { tools: [] },
  });
  expect(await run.turn()).toMatchObject({ outcome: "denied" });
  expect(model.requests).toEqual([]);
});

test("a budget that a filter uses up ends the prompt as such", async () => {
  const { run } = openFiltered({ one: () => ({ allow: true }) }, first, {
    budget: { toolCalls: 0 },
  });
  expect(await run.turn()).toMatchObject({ outcome: "failed", reason: "BUDGET_EXCEEDED" });
});

test("a filter that is not registered is a no, and is found before", async () => {
  const policy = { inputFilters: [{ loopId: "missing" }] };
  const { run } = openFiltered({}, policy);
  expect(await run.turn()).toMatchObject({ outcome: "denied" });
  const registry = registerAll([promptLoop("ask", { policy })]);
  expect(
    registry.checkReferences().map(({ problem }) => `${problem.rule} ${problem.path}`),
  ).toEqual(["reference-unknown /policy/inputFilters/0/loopId"]);
});

test("a prompt that filters itself is a cycle", () => {
  const registry = registerAll([
    promptLoop("ask", { policy: { outputFilters: [{ loopId: "ask" }] } }),
  ]);
  expect(registry.checkReferences().map(({ problem }) => problem.rule)).toEqual([
    "reference-cycle",
  ]);
});

test("what is filtered is not shown while it is written", async () => {
  for (const [policy, isShown] of [
    [first, true],
    [last, false],
  ] as const) {
    const heard: string[] = [];
    const live = memoryLiveBus();
    const { run } = openFiltered({ one: () => ({ allow: true }) }, policy, { live });
    live.watch(run.request.run, { delta: ({ text }) => heard.push(text), moved: () => {} });
    expect(await run.turn()).toMatchObject({ outcome: "completed" });
    expect(heard.join("") === "the answer").toBe(isShown);
    expect(heard.length > 0).toBe(isShown);
  }
});

test.each([1, 2, 3])(
  "after a crash at append %i what a filter said is not asked again",
  async (place) => {
    let asked = 0;
    const filter: Filter = () => {
      asked += 1;
      return { allow: true };
    };
    const { run } = openFiltered({ one: filter }, first, { afterAppend: crashAt(place) });
    const died = await run.turn().then(
      () => false,
      () => true,
    );
    expect(died).toBe(true);
    if (!(await run.types()).includes("turn.closed")) {
      expect(await run.turn()).toMatchObject({ outcome: "completed" });
    }
    expect(asked).toBe(1);
  },
);

test("a refused prompt that is a step keeps its code and its name on the way up", async () => {
  const { run } = openFiltered({ one: () => ({ allow: false }) }, first, {
    loops: [
      compositeLoop("whole", [step("ask")]),
      promptLoop("ask", { policy: first }),
      toolLoop("one"),
    ],
  });
  expect(await run.turn()).toMatchObject({ outcome: "denied", reason: "POLICY_DENIED" });
  const errors = await run.contents("call.errored");
  expect(errors.at(-1)).toMatchObject({ details: { denial: "input-refused" } });
});

test("outside a run filters work alike", async () => {
  const world = openWorld({
    loops: [promptLoop("ask", { policy: last }), toolLoop("one")],
    tools: { one: () => ({ allow: true, value: { text: "***" } }) },
    models: { sample: scriptedModel() },
  });
  expect((await world.call("ask")).result).toMatchObject({ status: "ok", output: { text: "***" } });
});

test("FILTERS_MAX filters may stand on a side, and not one more", () => {
  const filters = (count: number) => Array.from({ length: count }, () => ({ loopId: "one" }));
  for (const side of ["inputFilters", "outputFilters"]) {
    const within = promptLoop("ask", { policy: { [side]: filters(FILTERS_MAX) } });
    const past = promptLoop("ask", { policy: { [side]: filters(FILTERS_MAX + 1) } });
    expect(checkLoop(within, "strict").kind).toBe("checked");
    expect(checkLoop(past, "strict")).toMatchObject({
      kind: "refused",
      problems: [{ rule: "field-type", path: `/policy/${side}` }],
    });
  }
});
