import type { FlowNode, LoopDef } from "@turnseal/protocol";
import { describe, expect, test } from "vitest";
import { openWorld, promptLoop, toolLoop } from "../call/sample-world.test.data.ts";
import { listReferences } from "./list-references.ts";
import { pinReferences } from "./pin-references.ts";

const open = { version: "1.0.0", inputSchema: true, outputSchema: true } as const;
const call = (loopId: string): FlowNode => ({ kind: "call", loopId, inputMapping: {} });
const flowLoop = (id: string, flow: FlowNode): LoopDef => ({
  ...{ ...open, id, name: id, kind: "composite" },
  composite: { flow },
});
const ask = (loopId: string): FlowNode => ({
  kind: "wait",
  for: { question: { loopId, inputMapping: {} } },
});
const question = toolLoop("ask", { tool: { implementation: "turnseal.question" } });

/** The problems between loops, as `rule id path`. */
const check = (loops: readonly LoopDef[]): string[] =>
  openWorld({ loops })
    .registry.checkReferences()
    .map(({ loop, problem }) => `${problem.rule} ${loop.definition.id} ${problem.path}`);

const everywhere: FlowNode = {
  kind: "sequence",
  nodes: [
    { ...call("a"), otherwise: call("b") },
    { kind: "parallel", branches: [call("c"), call("d")] },
    { kind: "branch", cases: [{ when: "true", do: call("e") }], else: call("f") },
    { kind: "repeat", until: "true", max: 2, body: call("g") },
    { kind: "forEach", items: "$.input", max: 2, body: call("h") },
    {
      ...{ kind: "machine", initial: "a/b" },
      states: {
        "a/b": {
          ...{ onEntry: call("i"), body: call("j"), onExit: call("k") },
          transitions: [{ next: "end" }],
        },
        end: { terminal: true },
      },
    },
    ask("ask"),
    { kind: "wait", for: { signal: "go" } },
  ],
};
const letters = [..."abcdefghijk"];

test("the loops that a flow calls are found wherever they stand", () => {
  const { registry } = openWorld({ loops: [flowLoop("of", everywhere)] });
  const loop = registry.resolve("of");
  expect(loop && listReferences(loop).map(({ loopId, path }) => `${loopId} ${path}`)).toEqual([
    "a /composite/flow/nodes/0/loopId",
    "b /composite/flow/nodes/0/otherwise/loopId",
    "c /composite/flow/nodes/1/branches/0/loopId",
    "d /composite/flow/nodes/1/branches/1/loopId",
    "e /composite/flow/nodes/2/cases/0/do/loopId",
    "f /composite/flow/nodes/2/else/loopId",
    "g /composite/flow/nodes/3/body/loopId",
    "h /composite/flow/nodes/4/body/loopId",
    "i /composite/flow/nodes/5/states/a~1b/onEntry/loopId",
    "j /composite/flow/nodes/5/states/a~1b/body/loopId",
    "k /composite/flow/nodes/5/states/a~1b/onExit/loopId",
    "ask /composite/flow/nodes/6/for/question/loopId",
  ]);
});

test("they are pinned with it", () => {
  const loops = [flowLoop("of", everywhere), question, ...letters.map((id) => toolLoop(id))];
  const { registry } = openWorld({ loops });
  const loop = registry.resolve("of");
  expect(loop && Object.values(pinReferences(registry, loop)).map(({ id }) => id)).toEqual([
    "of",
    ...letters,
    "ask",
  ]);
});

describe("between a flow and what it calls is refused", () => {
  test("a loop that is not there, by its path", () => {
    expect(check([flowLoop("of", { kind: "parallel", branches: [call("a")] })])).toEqual([
      "reference-unknown of /composite/flow/branches/0/loopId",
    ]);
  });

  test("a flow that leads back to itself", () => {
    const loops = [
      flowLoop("one", { kind: "repeat", until: "true", max: 2, body: call("two") }),
      flowLoop("two", { ...call("a"), otherwise: call("one") }),
      toolLoop("a"),
    ];
    expect(check(loops)).toEqual([
      "reference-cycle one /composite/flow",
      "reference-cycle two /composite/flow",
    ]);
  });

  test("a question that asks nothing", () => {
    expect(check([flowLoop("of", ask("a")), toolLoop("a")])).toEqual([
      "setting-unfit of /composite/flow/for/question/loopId",
    ]);
    expect(check([flowLoop("of", ask("ask")), question])).toEqual([]);
  });
});

describe("a thread has one writer at a time:", () => {
  const prompt = (id: string, thread: boolean | string): LoopDef =>
    promptLoop(id, { prompt: { template: "Say", variables: [], thread } });
  const loops = [prompt("x", "log"), prompt("y", "log"), prompt("z", "other"), prompt("own", true)];
  const each = (body: FlowNode): FlowNode => ({ kind: "forEach", items: "$.input", max: 2, body });
  const wrong: [string, FlowNode, string[]][] = [
    [
      "branches with one name",
      {
        kind: "parallel",
        branches: [call("x"), call("z"), { kind: "sequence", nodes: [call("y")] }],
      },
      ["thread-shared of /composite/flow/branches/2"],
    ],
    ["items with one name", each(call("x")), ["thread-shared of /composite/flow/body"]],
    [
      "items that reach one deeper",
      each({ kind: "repeat", until: "true", max: 2, body: call("y") }),
      ["thread-shared of /composite/flow/body"],
    ],
  ];
  test.each(wrong)("%s are refused", (_, flow, problems) => {
    expect(check([flowLoop("of", flow), ...loops])).toEqual(problems);
  });

  const right: [string, FlowNode][] = [
    ["branches with different names", { kind: "parallel", branches: [call("x"), call("z")] }],
    ["one after the other", { kind: "sequence", nodes: [call("x"), call("y")] }],
    ["rounds", { kind: "repeat", until: "true", max: 2, body: call("x") }],
    ["items that have their own", each(call("own"))],
    ["items in order", { ...each(call("x")), scope: "shared" } as FlowNode],
    ["cases", { kind: "branch", cases: [{ when: "true", do: call("x") }], else: call("y") }],
  ];
  test.each(right)("%s are taken", (_, flow) => {
    expect(check([flowLoop("of", flow), ...loops])).toEqual([]);
  });
});

describe("notes have one writer at a time:", () => {
  const prompt = (id: string, scope: "isolated" | "shared" | "inherited"): LoopDef =>
    promptLoop(id, {
      prompt: { template: "Say", variables: [], scope, tools: [{ loopId: "note" }] },
    });
  const loops = [
    toolLoop("note", { tool: { implementation: "turnseal.note" } }),
    toolLoop("plain"),
    ...[prompt("own", "isolated"), prompt("shared", "shared"), prompt("heir", "inherited")],
    flowLoop("inner", { kind: "sequence", nodes: [call("plain"), call("shared")] }),
  ];
  const beside = (...ids: string[]): FlowNode => ({ kind: "parallel", branches: ids.map(call) });
  const each = (body: FlowNode): FlowNode => ({ kind: "forEach", items: "$.input", max: 2, body });
  const second = ["notes-shared of /composite/flow/branches/1"];
  const items = ["notes-shared of /composite/flow/body"];
  const wrong: [string, FlowNode, string[]][] = [
    ["branches that share", beside("shared", "shared"), second],
    ["branches that inherit", beside("heir", "heir"), second],
    ["branches that note", beside("note", "note"), second],
    ["branches that share deeper", beside("note", "inner"), second],
    ["items that share", each(call("shared")), items],
    ["items that inherit", each(call("heir")), items],
    [
      "items that note when they failed",
      each({ ...call("plain"), otherwise: call("note") }),
      items,
    ],
  ];
  test.each(wrong)("%s are refused", (_, flow, problems) => {
    expect(check([flowLoop("of", flow), ...loops])).toEqual(problems);
  });

  const right: [string, FlowNode][] = [
    ["branches that have their own", beside("own", "own")],
    ["branches of which one notes", beside("own", "shared", "plain")],
    ["one after the other", { kind: "sequence", nodes: [call("shared"), call("heir")] }],
    ["items that have their own", each(call("own"))],
    ["items in order", { ...each(call("shared")), scope: "shared" } as FlowNode],
  ];
  test.each(right)("%s are taken", (_, flow) => {
    expect(check([flowLoop("of", flow), ...loops])).toEqual([]);
  });
});
