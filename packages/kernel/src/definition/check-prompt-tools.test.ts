import {
  type LoopDef,
  type PromptSpec,
  ROUNDS_MAX,
  SIGNAL_NAME_LENGTH_MAX,
} from "@turnseal/protocol";
import { expect, test } from "vitest";
import { toolLoop } from "../call/sample-world.test.data.ts";
import { PROMPT_TOOLS_MAX } from "../limits.ts";
import { checkPromptTools, checkToolNames } from "./check-prompt-tools.ts";
import { createReport } from "./report.ts";
import { ALIAS_LENGTH_MAX } from "./tool-alias.ts";

const prompt: PromptSpec = { template: "Go", variables: [] };

function listPaths(fields: Partial<PromptSpec>): string[] {
  const report = createReport();
  checkPromptTools({ ...prompt, ...fields }, report);
  return report.problems.map(({ path }) => path);
}

const offer = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ loopId: `tool-${index}` }));

test("a prompt without tools, or with a few, has nothing wrong with it", () => {
  expect(listPaths({})).toEqual([]);
  expect(listPaths({ tools: offer(2), maxRounds: 3 })).toEqual([]);
});

test("a prompt offers PROMPT_TOOLS_MAX tools, and not one more", () => {
  expect(listPaths({ tools: offer(PROMPT_TOOLS_MAX) })).toEqual([]);
  expect(listPaths({ tools: offer(PROMPT_TOOLS_MAX + 1) })).toEqual(["/prompt/tools"]);
});

test("a prompt makes ROUNDS_MAX rounds, and not one more", () => {
  expect(listPaths({ maxRounds: ROUNDS_MAX })).toEqual([]);
  for (const maxRounds of [ROUNDS_MAX + 1, 0, -1, 1.5, Number.NaN]) {
    expect(listPaths({ maxRounds })).toEqual(["/prompt/maxRounds"]);
  }
});

test("the signals that it is told have a name of SIGNAL_NAME_LENGTH_MAX, and not one more", () => {
  expect(listPaths({ feedback: "a".repeat(SIGNAL_NAME_LENGTH_MAX) })).toEqual([]);
  expect(listPaths({ feedback: "a".repeat(SIGNAL_NAME_LENGTH_MAX + 1) })).toEqual([
    "/prompt/feedback",
  ]);
});

function listNameProblems(loops: readonly LoopDef[]) {
  const tools = loops.map(({ id }) => ({ loopId: id }));
  return checkToolNames({ ...prompt, tools }, ({ loopId }) =>
    loops.find(({ id }) => id === loopId),
  );
}

const named = (id: string, implementation: string): LoopDef =>
  toolLoop(id, { tool: { implementation } });

test.each([
  ["the same function twice", "local.pay", "local.pay"],
  ["a dot and two underscores", "local.a.b", "local.a__b"],
  ["characters that no provider takes", "local.a:b", "local.a/b"],
])("two loops that a model could not tell apart are refused: %s", (_, first, second) => {
  expect(listNameProblems([named("one", first), named("two", second)])).toMatchObject([
    { rule: "binding-repeated", path: "/prompt/tools/1" },
  ]);
});

test("loops with names of their own are offered side by side", () => {
  expect(listNameProblems([named("one", "local.a"), named("two", "local.b")])).toEqual([]);
});

test("a name of ALIAS_LENGTH_MAX is taken, one more is refused", () => {
  const long = `local.${"x".repeat(ALIAS_LENGTH_MAX - "local__".length)}`;
  expect(listNameProblems([named("one", long)])).toEqual([]);
  expect(listNameProblems([named("one", `${long}x`)])).toMatchObject([
    { rule: "field-type", path: "/prompt/tools/0" },
  ]);
});

test("a loop that is not registered yet has no name to compare", () => {
  const tools = [{ loopId: "one" }, { loopId: "two" }];
  expect(checkToolNames({ ...prompt, tools }, () => undefined)).toEqual([]);
});
