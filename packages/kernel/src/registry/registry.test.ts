import { compilePlan, digestOf, type LoopDef } from "@turnseal/protocol";
import { rollbackRest } from "@turnseal/protocol/authoring";
import { expect, test } from "vitest";
import {
  codeOf,
  compositeLoop,
  openWorld,
  step,
  toolLoop,
} from "../call/sample-world.test.data.ts";
import { cpuMs } from "../cpu-ms.test.data.ts";
import { createRegistry, type Registration } from "./registry.ts";

const rulesOf = (registration: Registration): readonly string[] =>
  registration.kind === "refused" ? registration.problems.map(({ rule }) => rule) : [];

test("several versions stand side by side, each with the digest of its document", () => {
  const registry = createRegistry();
  const documents = ["1.0.0", "1.1.0", "2.0.0"].map((version) => toolLoop("greet", { version }));
  for (const document of documents) expect(registry.register(document).kind).toBe("registered");
  for (const document of documents) {
    expect(registry.resolve("greet", document.version)?.digest).toBe(digestOf(document));
  }
  expect(registry.list().map(({ definition }) => definition.version)).toEqual([
    "1.0.0",
    "1.1.0",
    "2.0.0",
  ]);
});

test("the same id and version with other content is refused and changes nothing", () => {
  const registry = createRegistry();
  registry.register(toolLoop("greet"));
  const before = registry.resolve("greet");
  const conflict = registry.register(toolLoop("greet", { description: "another" }));
  expect(rulesOf(conflict)).toEqual(["registry-conflict"]);
  expect(registry.resolve("greet")).toBe(before);
  expect(registry.list()).toHaveLength(1);
});

test("equal content registers again without a change, whatever the order of its fields", () => {
  const registry = createRegistry();
  const loop = toolLoop("greet");
  registry.register(loop);
  const reversed = Object.fromEntries(Object.entries(loop).reverse());
  const again = registry.register(reversed);
  expect(again).toMatchObject({ kind: "registered", loop: { digest: digestOf(loop) } });
  expect(registry.list()).toHaveLength(1);
});

test.each<[string, readonly string[], string]>([
  ["the highest number, not the latest", ["1.9.0", "1.10.0", "1.2.0"], "1.10.0"],
  ["a release before a higher prerelease", ["1.0.0", "2.0.0-rc.1"], "1.0.0"],
  [
    "the highest prerelease where there is no release",
    ["1.0.0-alpha", "1.0.0-beta.2", "1.0.0-beta.11"],
    "1.0.0-beta.11",
  ],
  ["a release over its own prerelease", ["1.0.0-rc.9", "1.0.0"], "1.0.0"],
  ["the first of equal precedence", ["1.0.0+b", "1.0.0+a"], "1.0.0+b"],
])("without a version, %s is meant", (_, versions, expected) => {
  const registry = createRegistry();
  for (const version of versions) registry.register(toolLoop("greet", { version }));
  expect(registry.resolve("greet")?.definition.version).toBe(expected);
});

test("an unknown id, an unknown version and the name of a prototype resolve to nothing", () => {
  const registry = createRegistry();
  registry.register(toolLoop("greet"));
  expect(registry.resolve("other")).toBeUndefined();
  expect(registry.resolve("greet", "1.0.1")).toBeUndefined();
  for (const id of ["constructor", "__proto__", "toString"]) {
    expect(registry.resolve(id)).toBeUndefined();
    expect(registry.resolve("greet", id)).toBeUndefined();
  }
});

test("the registry keeps a copy that nobody can change", () => {
  const registry = createRegistry();
  const document = structuredClone(toolLoop("greet", { metadata: { tags: ["a"] } }));
  registry.register(document);
  Object.assign(document, { id: "stolen" });
  (document.metadata as { tags: string[] }).tags.push("b");
  const kept = registry.resolve("greet")?.definition;
  expect(kept).toMatchObject({ id: "greet", metadata: { tags: ["a"] } });
  expect(Object.isFrozen(kept?.metadata?.["tags"])).toBe(true);
});

test("an id of loops that are made of plans is theirs alone", () => {
  const registry = createRegistry();
  const made = compilePlan({ steps: [{ id: "one", loop: "greet" }] });
  expect(rulesOf(registry.register(made))).toEqual([]);
  const other = compilePlan({ steps: [{ id: "one", loop: "pay" }] });
  expect(rulesOf(registry.register({ ...other, id: made.id, version: "1.0.1" }))).toEqual([
    "name-reserved",
  ]);
  const spoiled = [
    { ...made, version: "9.0.0" },
    { ...made, policy: { timeoutMs: 5 } },
    { ...made, composite: { ...made.composite, outputMapping: { done: { const: true } } } },
    toolLoop(made.id, { version: "2.0.0" }),
    toolLoop("turnseal.plan", { version: "1.0.1" }),
    toolLoop("turnseal.rollback-rest", { version: "1.0.1" }),
    { ...rollbackRest.definition, outputSchema: true },
  ];
  expect(rulesOf(registry.register(rollbackRest.definition))).toEqual([]);
  for (const loop of spoiled)
    expect(rulesOf(registry.register(loop)), JSON.stringify(loop)).toEqual(["name-reserved"]);
});

test("a list that was asked for does not grow", () => {
  const registry = createRegistry();
  const list = registry.list();
  registry.register(toolLoop("greet"));
  expect(list).toEqual([]);
});

test("strict refuses a field that it does not know, lenient keeps it and warns", () => {
  const registry = createRegistry();
  const document = { ...toolLoop("greet"), author: "someone" };
  expect(rulesOf(registry.register(document))).toEqual(["field-unknown"]);
  const lenient = registry.register(document, { mode: "lenient" });
  expect(lenient).toMatchObject({ kind: "registered", warnings: [{ rule: "field-unknown" }] });
  expect(registry.resolve("greet")?.definition).toHaveProperty("author", "someone");
});

test("what a call refers to is fixed when it starts", async () => {
  const world = openWorld({
    loops: [
      toolLoop("upgrade"),
      toolLoop("part", { tool: { implementation: "local.part", config: { is: "old" } } }),
      compositeLoop("whole", [step("upgrade"), step("part")]),
    ],
    tools: {
      upgrade: () => {
        const tool = { implementation: "local.part", config: { is: "new" } };
        const registration = world.registry.register(toolLoop("part", { version: "2.0.0", tool }));
        return registration.kind;
      },
      part: (_, { config }) => config,
    },
  });
  expect((await world.call("whole")).result).toMatchObject({ output: { is: "old" } });
  expect((await world.call("whole")).result).toMatchObject({ output: { is: "new" } });
});

test("a loop that is registered while a call runs is not found by it", async () => {
  const world = openWorld({
    loops: [toolLoop("late"), compositeLoop("whole", [step("late"), step("missing")])],
    tools: {
      late: () => world.registry.register(toolLoop("missing")).kind,
      missing: () => "found",
    },
  });
  expect(codeOf(await world.call("whole"))).toBe("LOOP_NOT_FOUND");
  expect((await world.call("whole")).result).toMatchObject({ output: "found" });
});

test("the ten thousandth loop with schemas of its own registers as fast as the first", () => {
  const registry = createRegistry();
  const createLoop = (index: number): LoopDef =>
    toolLoop(`loop-${index}`, {
      inputSchema: {
        type: "object",
        properties: { [`field${index}`]: { type: "string", pattern: `^item-${index}$` } },
        required: [`field${index}`],
        additionalProperties: false,
      },
      outputSchema: { $ref: "#/$defs/out", $defs: { out: { type: "integer", minimum: index } } },
    });
  const register = (from: number, to: number): number =>
    cpuMs(() => {
      for (let index = from; index < to; index++) registry.register(createLoop(index));
    });
  const early = register(0, 2_000);
  register(2_000, 8_000);
  const late = register(8_000, 10_000);
  for (let index = 0; index < 10_000; index++) {
    const loop = registry.resolve(`loop-${index}`);
    if (index % 100 === 0) {
      expect(loop?.validateInput({ [`field${index}`]: `item-${index}` })?.problems).toEqual([]);
      expect(loop?.validateOutput(index - 1)?.problems).toEqual([`: must be at least ${index}`]);
    }
  }
  expect(registry.list()).toHaveLength(10_000);
  expect(late).toBeLessThan(3 * early);
});

test("what refines a loop holds from when it is bound, and so does what was bound before", () => {
  const registry = createRegistry();
  const document = toolLoop("count");
  const registration = registry.register(document);
  if (registration.kind === "refused") throw new Error("refused");
  const { loop } = registration;
  const refuse = (limit: number) => ({
    input: (value: unknown) =>
      Number(value) > limit ? [{ path: [], words: `over ${limit}, it is ${value}` }] : [],
  });
  expect(loop.validateInput(7)).toEqual({ problems: [], words: [] });
  const five = refuse(5);
  for (const refinements of [five, refuse(6), five]) registry.register(document, { refinements });
  expect(registry.resolve("count")).toBe(loop);
  expect(loop.validateInput(7)).toEqual({
    problems: [": is refused by a refinement"],
    words: [": over 5, it is 7", ": over 6, it is 7"],
  });
  expect(loop.validateInput(5).problems).toEqual([]);
  expect(loop.validateOutput(7).problems).toEqual([]);
});
