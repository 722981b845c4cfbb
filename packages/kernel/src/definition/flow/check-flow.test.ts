import type { FlowNode, Mapping } from "@turnseal/protocol";
import { describe, expect, test } from "vitest";
import { EXPRESSIONS_MAX } from "../../limits.ts";
import { callNode, checkedOf, mendsOf, refusalsOf, sequence } from "./check-flow.test.data.ts";

const reads = (mapping: Mapping): FlowNode => callNode("b", { inputMapping: mapping });

describe("a node reads", () => {
  const found = callNode("a", { name: "found" });
  const known: [string, FlowNode][] = [
    ["the input", reads({ a: "$.input.x", b: { cel: "input.x + 1" } })],
    ["what stands before it", sequence(found, reads({ a: "$.found.output.x" }))],
    ["it from deeper", sequence(found, { kind: "parallel", branches: [reads({ a: "$.found" })] })],
    [
      "it after what stands between",
      sequence(found, callNode("c"), reads({ a: "$.found.output" })),
    ],
    ["times of a call", sequence(found, reads({ a: "$.found.durationMs" }))],
    [
      "how the items of a list ended",
      sequence(
        { kind: "forEach", name: "all", items: "$.input", max: 2, body: callNode("a") },
        reads({ a: "$.all.items", b: { cel: "all.items.size()" } }),
      ),
    ],
    [
      "its item and its index",
      { kind: "forEach", items: "$.input", max: 2, body: reads({ a: "$.item", b: "$.itemIndex" }) },
    ],
    [
      "them by the name that they are given",
      {
        ...{ kind: "forEach", items: "$.input", max: 2, as: "row" },
        body: reads({ a: "$.row.id", b: { cel: "rowIndex + 1" } }),
      },
    ],
    [
      "the item of the list around it, for its own",
      {
        ...{ kind: "forEach", items: "$.input", max: 2 },
        body: { kind: "forEach", items: "$.item", max: 2, body: reads({ a: "$.item" }) },
      },
    ],
    [
      "the round and what the one before gave",
      { kind: "repeat", until: "last > 3 || round > 1", max: 3, body: reads({ a: "$.last" }) },
    ],
    [
      "what states gave, and what one came to",
      {
        ...{ kind: "machine", initial: "draft" },
        states: {
          draft: {
            body: reads({ a: "$.states.draft", b: "$.last" }),
            transitions: [{ when: "result.status == 'ok'", next: "done" }],
          },
          done: { terminal: true },
        },
      },
    ],
    ["the error that it stands in for", { ...found, otherwise: reads({ a: "$.error.code" }) }],
    [
      "in two branches a name that each gives itself",
      {
        kind: "parallel",
        branches: [sequence(found, reads({ a: "$.found" })), sequence(found)],
      },
    ],
  ];
  test.each(known)("%s", (_, flow) => {
    expect(refusalsOf(flow)).toEqual([]);
  });
});

describe("a node does not read", () => {
  const found = callNode("a", { name: "found" });
  const unknown: [string, FlowNode, string][] = [
    [
      "what stands after it",
      sequence(reads({ a: "$.found" }), found),
      "mapping-root /flow/nodes/0/inputMapping/a: `$.found` starts from what is not known here",
    ],
    [
      "itself",
      callNode("a", { name: "found", inputMapping: { a: "$.found" } }),
      "mapping-root /flow/inputMapping/a: `$.found` starts from what is not known here",
    ],
    [
      "what stands beside it",
      { kind: "parallel", branches: [found, reads({ a: { cel: "found.output" } })] },
      "mapping-expression /flow/branches/1/inputMapping/a: `found.output`: `found` is not known; there are input (at character 1)",
    ],
    [
      "what stands inside what is before it",
      sequence(sequence(found), reads({ a: "$.found" })),
      "mapping-root /flow/nodes/1/inputMapping/a: `$.found` starts from what is not known here",
    ],
    [
      "a field that no result has",
      sequence(found, reads({ a: "$.found.text" })),
      "mapping-root /flow/nodes/1/inputMapping/a: `$.found.text`: `found` has no `text`, only status, output, error, callId, loopId, loopVersion, startedAt, endedAt, durationMs, trace",
    ],
    [
      "such a field in an expression",
      sequence(
        { ...sequence(), kind: "sequence", name: "s", nodes: [found] },
        {
          ...callNode("b"),
          when: "s.done",
        },
      ),
      "mapping-expression /flow/nodes/1/when: `s.done`: `s` has no `done`, only status, output, error (at character 1)",
    ],
    [
      "steps by their number",
      sequence(found, reads({ a: "$.steps[0].output" })),
      "mapping-root /flow/nodes/1/inputMapping/a: `$.steps[0].output` starts from what is not known here",
    ],
    [
      "an item outside its list",
      sequence({ kind: "forEach", items: "$.input", max: 2, body: found }, reads({ a: "$.item" })),
      "mapping-root /flow/nodes/1/inputMapping/a: `$.item` starts from what is not known here",
    ],
    [
      "an item by another name than its own",
      { kind: "forEach", items: "$.input", max: 2, as: "row", body: reads({ a: "$.item" }) },
      "mapping-root /flow/body/inputMapping/a: `$.item` starts from what is not known here",
    ],
    [
      "an error where nothing failed",
      callNode("a", { inputMapping: { a: "$.error.code" } }),
      "mapping-root /flow/inputMapping/a: `$.error.code` starts from what is not known here",
    ],
    [
      "a state that is not there",
      {
        ...{ kind: "machine", initial: "done" },
        states: { done: { terminal: true, body: reads({ a: "$.states.doen" }) } },
      },
      "mapping-root /flow/states/done/body/inputMapping/a: `$.states.doen`: `states` has no `doen`, only done",
    ],
    [
      "the result of a state in its body",
      {
        ...{ kind: "machine", initial: "done" },
        states: { done: { terminal: true, body: reads({ a: "$.result" }) } },
      },
      "mapping-root /flow/states/done/body/inputMapping/a: `$.result` starts from what is not known here",
    ],
  ];
  test.each(unknown)("%s", (_, flow, refusal) => {
    expect(refusalsOf(flow)).toEqual([refusal]);
  });
});

test("who reads what is not there is told what was probably meant", () => {
  const found = callNode("a", { name: "found" });
  const mendOf = (mapping: Mapping) => mendsOf(sequence(found, reads(mapping)));
  expect(mendOf({ a: "$.fuond.output" })).toEqual(["start from `found`; known here: input, found"]);
  expect(mendOf({ a: "$.other" })).toEqual(["start from one of: input, found"]);
  expect(mendOf({ a: "$.found.text" })).toEqual(["write `$.found.output.text`"]);
  expect(mendOf({ a: "$.found.ouput" })).toEqual(["write `$.found.output`"]);
  expect(mendOf({ a: { cel: "1 +" } })).toEqual(["write CEL over input, found"]);
});

describe("a name", () => {
  const named = (name: string): FlowNode => callNode("a", { name });
  test.each([
    ...["input", "steps", "item", "index", "last", "round", "state", "states", "error", "result"],
  ])("is not %s", (name) => {
    expect(refusalsOf(named(name))).toEqual([
      `binding-name /flow/name: nothing in a flow may be called \`${name}\``,
    ]);
  });

  const repeated: [string, FlowNode, string][] = [
    ["in one sequence", sequence(named("x"), named("x")), "/flow/nodes/1/name"],
    ["deeper", sequence(named("x"), sequence(named("x"))), "/flow/nodes/1/nodes/0/name"],
    [
      "as what an item is called",
      sequence(named("x"), {
        ...{ kind: "forEach", items: "$.input", max: 1, as: "x", body: callNode("a") },
      }),
      "/flow/nodes/1/as",
    ],
    [
      "as the index of an item",
      { kind: "forEach", items: "$.input", max: 1, as: "row", body: named("rowIndex") },
      "/flow/body/name",
    ],
  ];
  test.each(repeated)("is given once along one line of sight: %s", (_, flow, path) => {
    const [refusal, ...others] = refusalsOf(flow);
    expect(refusal).toMatch(new RegExp(`^binding-repeated ${path}: \`.*\` stands for something`));
    expect(others).toEqual([]);
  });

  test("of an item is not one that has a meaning", () => {
    const body = callNode("a");
    expect(refusalsOf({ kind: "forEach", items: "$.input", max: 1, as: "last", body })).toEqual([
      "binding-name /flow/as: nothing in a flow may be called `last`",
    ]);
  });

  test("may be given again where the first cannot be seen", () => {
    expect(refusalsOf(sequence(sequence(named("x")), named("x")))).toEqual([]);
  });
});

describe("an expression gives what is asked of it:", () => {
  const leaf = callNode("a");
  const wrong: [string, FlowNode, string][] = [
    [
      "when",
      callNode("a", { when: "'yes'" }),
      "/flow/when: `'yes'` is of type string, and has to be true or false",
    ],
    [
      "a case",
      { kind: "branch", cases: [{ when: "1", do: leaf }] },
      "/flow/cases/0/when: `1` is of type int, and has to be true or false",
    ],
    [
      "until",
      { kind: "repeat", until: "[true]", max: 2, body: leaf },
      "/flow/until: `[true]` is of type list<bool>, and has to be true or false",
    ],
    [
      "while",
      { kind: "repeat", while: "size('a')", max: 2, body: leaf },
      "/flow/while: `size('a')` is of type int, and has to be true or false",
    ],
    [
      "a summary",
      callNode("a", { summary: { cel: "1 == 1" } }),
      "/flow/summary/cel: `1 == 1` is of type bool, and has to be a text",
    ],
    [
      "items",
      { kind: "forEach", items: { cel: "'a' + 'b'" }, max: 2, body: leaf },
      "/flow/items: `'a' + 'b'` is of type string, and has to be a list",
    ],
  ];
  test.each(wrong)("%s", (_, flow, refusal) => {
    expect(refusalsOf(flow)).toEqual([`mapping-expression ${refusal}`]);
  });

  test("a constant is a list, or an instant", () => {
    const each = { kind: "forEach", max: 2, body: leaf } as const;
    expect(refusalsOf({ ...each, items: { const: [1, 2] } })).toEqual([]);
    expect(refusalsOf({ ...each, items: "literal:a" })).toEqual([
      "mapping-path /flow/items: what is given is never a list",
    ]);
    const until = (instant: string) => ({ kind: "wait", for: { until: instant } });
    expect(refusalsOf(until("literal:2030-01-31T09:00:00.000Z"))).toEqual([]);
    expect(refusalsOf(until("literal:tomorrow"))).toEqual([
      "mapping-path /flow/for/until: what is waited for is no instant",
    ]);
    expect(refusalsOf({ kind: "wait", for: { until: { const: 5 } } })).toEqual([
      "mapping-path /flow/for/until: what is given is never a text",
    ]);
  });

  test("what depends on what is known is left to the run", () => {
    expect(refusalsOf(callNode("a", { when: "input.ready" }))).toEqual([]);
  });
});

test("everything that is wrong is said at once", () => {
  const flow = sequence(
    callNode("a", { name: "input", when: "missing", grantMapping: { budget: "$.nothing" } }),
    { kind: "wait", for: { signal: "go", schema: { type: "sting" } } },
  );
  expect(refusalsOf(flow).map((line) => line.split(":")[0])).toEqual([
    "binding-name /flow/nodes/0/name",
    "mapping-expression /flow/nodes/0/when",
    "grant-field /flow/nodes/0/grantMapping/budget",
    "mapping-root /flow/nodes/0/grantMapping/budget",
    "schema-invalid /flow/nodes/1/for/schema/type",
  ]);
});

test("EXPRESSIONS_MAX expressions are counted over the whole flow", () => {
  const half = Array.from({ length: EXPRESSIONS_MAX / 2 - 1 }, (_, index) => [
    `f${index}`,
    { cel: "input" },
  ]);
  const mapping = Object.fromEntries(half) as Mapping;
  const flow = (when?: string): FlowNode => ({
    kind: "repeat",
    until: "true",
    max: 2,
    body: sequence(
      callNode("a", { inputMapping: mapping }),
      callNode("b", { inputMapping: mapping, ...(when === undefined ? {} : { when }) }),
    ),
  });
  expect(refusalsOf(flow(), { a: { cel: "input" } })).toEqual([]);
  expect(refusalsOf(flow("true"), { a: { cel: "input" } })).toEqual([
    `mapping-expression : more than ${EXPRESSIONS_MAX} expressions`,
  ]);
});

describe("the mapping of the output", () => {
  const found = callNode("a", { name: "found" });

  test.each([
    ["a sequence knows its nodes", sequence(found)],
    ["a sequence that gives something else does too", { ...sequence(found), outputMapping: {} }],
    ["another node knows what that came to", found],
    ["a sequence with a name does too", { ...sequence(callNode("a")), name: "found" }],
  ])("of %s", (_, flow) => {
    expect(checkedOf(flow, { a: "$.found.output" }).outputMapping).toMatchObject([{ field: "a" }]);
  });

  test("does not know what stands deeper", () => {
    expect(refusalsOf(sequence(sequence(found)), { a: "$.found" })).toEqual([
      "mapping-root /outputMapping/a: `$.found` starts from what is not known here",
    ]);
    expect(refusalsOf(callNode("a"), { a: { cel: "found.output" } })).toEqual([
      "mapping-expression /outputMapping/a: `found.output`: `found` is not known; there are input (at character 1)",
    ]);
  });
});

describe("of a checked flow is known", () => {
  const found = callNode("a", { name: "found" });

  test("what each node reads of what stands before it, also through what is in it", () => {
    const body = sequence(callNode("c", { name: "inner" }), reads({ a: "$.found", b: "$.inner" }));
    const { flow } = checkedOf(sequence(found, { kind: "repeat", until: "true", max: 2, body }));
    expect(flow?.kind === "sequence" && flow.nodes.map((node) => [...node.reads])).toEqual([
      [],
      ["found"],
    ]);
    expect([...(flow?.reads ?? [])]).toEqual([]);
  });

  test.each([
    ["$.found.output", false],
    ["$.found.callId", false],
    ["$.found", true],
    ["$.found.trace", true],
  ])("whether %s reads the record: %s", (source, expected) => {
    expect(checkedOf(sequence(found, reads({ a: source }))).readsRecord).toBe(expected);
  });
});
