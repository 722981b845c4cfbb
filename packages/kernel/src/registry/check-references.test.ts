import type { LoopDef } from "@turnseal/protocol";
import { expect, test } from "vitest";
import {
  compositeLoop,
  openWorld,
  promptLoop,
  step,
  toolLoop,
} from "../call/sample-world.test.data.ts";
import { DEPTH_MAX } from "../limits.ts";

/** The problems between loops, as `rule id path`. */
const check = (loops: readonly LoopDef[]): string[] =>
  openWorld({ loops })
    .registry.checkReferences()
    .map(({ loop, problem }) => `${problem.rule} ${loop.definition.id} ${problem.path}`);

/** A chain of composites that ends in a tool; `loops` in all. */
const createChain = (loops: number): LoopDef[] => [
  ...Array.from({ length: loops - 1 }, (_, index) =>
    compositeLoop(`loop-${index}`, [step(`loop-${index + 1}`)]),
  ),
  toolLoop(`loop-${loops - 1}`),
];

test("nothing is wrong with steps that lead to loops", () => {
  const loops = [
    toolLoop("leaf"),
    toolLoop("leaf", { version: "2.0.0" }),
    compositeLoop("pair", [step("leaf"), { ...step("leaf"), loopVersion: "1.0.0" }]),
  ];
  expect(check(loops)).toEqual([]);
});

test("every unknown reference is named, also one to a version", () => {
  const loops = [
    toolLoop("leaf"),
    compositeLoop("pair", [
      step("absent"),
      step("leaf"),
      { ...step("leaf"), loopVersion: "9.0.0" },
    ]),
  ];
  expect(check(loops)).toEqual([
    "reference-unknown pair /composite/steps/0/loopId",
    "reference-unknown pair /composite/steps/2/loopId",
  ]);
});

test("a later registration mends a reference", () => {
  const world = openWorld({ loops: [compositeLoop("early", [step("late")])] });
  expect(world.registry.checkReferences()).toHaveLength(1);
  world.registry.register(toolLoop("late"));
  expect(world.registry.checkReferences()).toEqual([]);
});

test("a cycle is found in every loop that leads into it, and in no other", () => {
  const loops = [
    compositeLoop("self", [step("self")]),
    compositeLoop("one", [step("two")]),
    compositeLoop("two", [step("leaf"), step("one")]),
    compositeLoop("into", [step("leaf"), step("two")]),
    compositeLoop("beside", [step("leaf")]),
    toolLoop("leaf"),
  ];
  expect(check(loops)).toEqual(
    ["self", "one", "two", "into"].map((id) => `reference-cycle ${id} /composite/steps`),
  );
});

test("a loop may refer to an older version of itself", () => {
  const loops = [
    toolLoop("again"),
    compositeLoop("again", [{ ...step("again"), loopVersion: "1.0.0" }], { version: "2.0.0" }),
  ];
  expect(check(loops)).toEqual([]);
});

test("a worst case of DEPTH_MAX is fine, and one deeper is named", () => {
  expect(check(createChain(DEPTH_MAX))).toEqual([]);
  expect(check(createChain(DEPTH_MAX + 1))).toEqual(["reference-depth loop-0 /composite/steps"]);
});

test("a chain of ten thousand references is measured without a deep stack", () => {
  const problems = check(createChain(10_000));
  expect(problems).toHaveLength(10_000 - DEPTH_MAX);
  expect(new Set(problems.map((problem) => problem.split(" ")[0]))).toEqual(
    new Set(["reference-depth"]),
  );
});

test("a diamond is measured by its longest side", () => {
  const short = compositeLoop("short", [step("loop-30")]);
  const top = compositeLoop("top", [step("short"), step("loop-0")]);
  expect(check([...createChain(DEPTH_MAX), short, top])).toEqual([
    "reference-depth top /composite/steps",
  ]);
});

const threadOf = (id: string, prompt: object): LoopDef =>
  promptLoop(id, { prompt: { template: "Go", variables: [], ...prompt } });

test("a thread has one writer at a time", () => {
  const offers = (loopId: string, rest: object = {}) => ({ tools: [{ loopId, ...rest }] });
  const loops = [
    toolLoop("leaf"),
    threadOf("own", { thread: true }),
    threadOf("notes", { thread: "notes" }),
    threadOf("plain", {}),
    compositeLoop("deep", [step("leaf"), step("own")]),
    threadOf("fine", offers("own")),
    threadOf("also-fine", { thread: "other", ...offers("notes") }),
    threadOf("beside", offers("deep", { independent: true })),
    threadOf("beside-none", offers("plain", { independent: true })),
    threadOf("inside", { thread: "notes", ...offers("notes") }),
  ];
  expect(check(loops)).toEqual([
    "thread-shared beside /prompt/tools/0",
    "thread-shared inside /prompt/tools/0",
  ]);
});

test("who summarises for a prompt is a prompt, without tools and without a thread", () => {
  const wants = (id: string, summarizer?: string): LoopDef =>
    threadOf(id, {
      context: {
        strategy: "summary",
        ...(summarizer === undefined ? {} : { summarizer: { loopId: summarizer } }),
      },
    });
  const loops = [
    toolLoop("leaf"),
    threadOf("plain", {}),
    threadOf("bare", { thread: false }),
    threadOf("armed", { tools: [{ loopId: "leaf" }] }),
    threadOf("own", { thread: true }),
    ...["leaf", "plain", "bare", "armed", "own", "nobody"].map((by) => wants(`by-${by}`, by)),
    wants("by-itself"),
  ];
  expect(check(loops)).toEqual([
    "setting-unfit by-leaf /prompt/context/summarizer",
    "setting-unfit by-armed /prompt/context/summarizer",
    "setting-unfit by-own /prompt/context/summarizer",
    "reference-unknown by-nobody /prompt/context/summarizer/loopId",
  ]);
});

test("what comes with the runtime cannot be registered otherwise", () => {
  const world = openWorld({ loops: [] });
  const other = { ...promptLoop("turnseal.summarizer"), version: "1.0.0" };
  expect(world.registry.register(other)).toMatchObject({
    kind: "refused",
    problems: [{ rule: "registry-conflict" }],
  });
  expect(world.registry.list()).toEqual([]);
  expect(world.registry.resolve("turnseal.summarizer", "1.0.0")).toBeDefined();
});
