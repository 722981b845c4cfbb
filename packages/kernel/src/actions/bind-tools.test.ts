import { BUILT_IN_TOOLS } from "@turnseal/protocol";
import { defineTool, jsonSchema, type Loop } from "@turnseal/protocol/authoring";
import { describe, expect, test } from "vitest";
import { bindLoops, bindTools } from "./bind-tools.ts";

interface Sample {
  readonly id?: string;
  readonly version?: string;
  readonly run?: () => unknown;
  readonly effect?: "read" | "once";
}

const one = () => 1;
const two = () => 2;

function pay({ id = "pay", version = "1.0.0", run = one, effect = "once" }: Sample = {}): Loop {
  return defineTool({
    ...{ id, version, effect, run, implementation: "bank.pay" },
    ...{ input: jsonSchema<object>({}), output: jsonSchema<unknown>(true) },
  }) as Loop;
}

function bind(loops: readonly Loop[], named = {}) {
  const binding = bindLoops(loops, named);
  if (binding.kind === "refused") throw new Error(JSON.stringify(binding.clashes));
  return binding.tools;
}

describe.each(["the older first", "the newer first"])("two versions of a tool, %s", (order) => {
  const loops = [pay(), pay({ version: "2.0.0", run: two, effect: "read" })];
  const tools = bind(order === "the older first" ? loops : loops.toReversed());

  test("have a function, an effect and a build each", () => {
    expect(tools.find("bank.pay", "1.0.0")).toMatchObject({ run: one, effect: "once" });
    expect(tools.find("bank.pay", "2.0.0")).toMatchObject({ run: two, effect: "read" });
    const builds = ["1.0.0", "2.0.0"].map((version) => tools.find("bank.pay", version)?.build);
    expect(new Set(builds).size).toBe(2);
  });

  test("lend their functions to no other version", () => {
    expect(tools.find("bank.pay", "1.0.1")).toBeUndefined();
  });
});

describe("functions that cannot be told apart are refused", () => {
  test.each<[string, readonly Loop[]]>([
    ["of one version", [pay(), pay({ run: two })]],
    ["of two tools in one version", [pay(), pay({ id: "pay-all", run: two })]],
    ["of two tools in two versions", [pay(), pay({ id: "pay-all", version: "2.0.0", run: two })]],
    ["one function with two effects", [pay(), pay({ id: "pay-all", effect: "read" })]],
  ])("%s", (_, loops) => {
    const binding = bindLoops(loops);
    expect(binding).toMatchObject({
      kind: "refused",
      clashes: [{ loop: loops[1], problem: { rule: "registry-conflict" } }],
    });
  });

  test("and two tools that share one are not", () => {
    const tools = bind([pay(), pay({ id: "pay-all", version: "3.0.0" })]);
    expect(tools.find("bank.pay", "3.0.0")?.run).toBe(one);
  });
});

test("a name alone stands for every version, and in place of what was authored", () => {
  const tools = bind([pay(), pay({ version: "2.0.0" })], { "bank.pay": two });
  for (const version of ["1.0.0", "2.0.0", "9.9.9"])
    expect(tools.find("bank.pay", version)?.run).toBe(two);
});

test("a name that nobody bound has no function, whatever it is called", () => {
  const tools = bindTools({});
  for (const name of ["bank.pay", "__proto__", "constructor"])
    expect(tools.find(name, "1.0.0")).toBeUndefined();
  expect(tools.find("builtin:echo", "1.0.0")?.effect).toBe("read");
});

const builtIns = BUILT_IN_TOOLS.map((name) => ({ name }));

function authored(implementation: string, id = "own"): Loop {
  return defineTool({
    ...{ id, version: "1.0.0", effect: "once", run: id === "own" ? one : two, implementation },
    ...{ input: jsonSchema<object>({}), output: jsonSchema<unknown>(true) },
  }) as Loop;
}

test.each([...builtIns, { name: "turnseal.group" }, { name: "turnseal.else" }])(
  "$name is no name for a function",
  ({ name }) => {
    for (const binding of [one, { run: one, effect: "read" as const }]) {
      expect(() => bindTools({ [name]: binding })).toThrow(`${name} is a name of the runtime`);
      expect(() => bindLoops([], { [name]: binding })).toThrow(`${name} is a name of the runtime`);
    }
  },
);

test.each(["turnseal.group", "turnseal.group-rest", "turnseal.else"])(
  "no authored tool is an implementation of %s",
  (name) => {
    expect(bindLoops([authored(name)])).toMatchObject({
      kind: "refused",
      clashes: [{ problem: { rule: "name-reserved", path: "/tool/implementation" } }],
    });
  },
);

test.each(builtIns)("the function of an authored $name is never bound", ({ name }) => {
  const tools = bind([authored(name), authored(name, "other")]);
  expect(tools.find(name, "1.0.0")).toBeUndefined();
});

test("a name that only looks like one of the runtime is free", () => {
  expect(bindTools({ "turnseal-group": one }).find("turnseal-group", "1.0.0")?.run).toBe(one);
});
