import { readFileSync } from "node:fs";
import type { JsonValue, LoopDef, Mapping, ParseMode, Problem } from "@turnseal/protocol";
import { expect, test } from "vitest";
import { compositeLoop, promptLoop, step, toolLoop } from "../call/sample-world.test.data.ts";
import { cpuMs } from "../cpu-ms.test.data.ts";
import {
  DOCUMENT_BYTES_MAX,
  DOCUMENT_DEPTH_MAX,
  EXPRESSIONS_MAX,
  STEPS_MAX,
  TEMPLATE_BYTES_MAX,
  TIMEOUT_MS_MAX,
} from "../limits.ts";
import { checkLoop } from "./check-loop.ts";

/** The problems of a document, as `rule path`. */
function problemsOf(document: unknown): string[] {
  const checked = checkLoop(document, "strict");
  const problems = checked.kind === "refused" ? checked.problems : [];
  return problems.map(({ rule, path }: Problem) => `${rule} ${path}`);
}

const withPrompt = (prompt: Partial<NonNullable<LoopDef["prompt"]>>): LoopDef =>
  promptLoop("ask", { prompt: { template: "hi", variables: [], ...prompt } });

const composed = (...steps: Parameters<typeof step>[]): LoopDef =>
  compositeLoop(
    "whole",
    steps.map((given) => step(...given)),
  );

test("each kind of loop is accepted in its plain form", () => {
  for (const document of [toolLoop("a"), promptLoop("b"), composed(["a"])]) {
    expect(problemsOf(document)).toEqual([]);
  }
});

const cyclic: Record<string, unknown> = { ...toolLoop("a") };
cyclic["metadata"] = cyclic;

test.each<[string, unknown]>([
  ["a cycle", cyclic],
  ["a function", { ...toolLoop("a"), metadata: { run: () => 1 } }],
  ["a date", { ...toolLoop("a"), metadata: { at: new Date(0) } }],
  ["nothing", undefined],
  ["a value that cannot be read", new Proxy({}, { ownKeys: () => Reflect.ownKeys(null as never) })],
  ["not a number", { ...toolLoop("a"), metadata: { n: Number.NaN } }],
])("a document that holds %s is not plain JSON", (_, document) => {
  expect(problemsOf(document)).toEqual(["json "]);
});

test.each([null, [], "text", 7, true])("%j is not a loop", (document) => {
  expect(problemsOf(document)).toEqual(["document-object "]);
});

test("an unknown field and a wrong version hide nothing else", () => {
  const wrong = {
    ...withPrompt({ template: "Hi {{name}}" }),
    ...{ version: "one", extra: 1, inputSchema: { type: "objekt" } },
  };
  expect(problemsOf(wrong).map((problem) => problem.split(" ")[0])).toEqual([
    ...["field-unknown", "version-semver", "schema-invalid", "template-variable"],
  ]);
  // A field of another type is not checked further.
  const rules = problemsOf({ ...wrong, inputSchema: 7 }).map((problem) => problem.split(" ")[0]);
  expect(rules).toContain("version-semver");
  expect(rules).not.toContain("template-variable");
});

test("a document has up to DOCUMENT_BYTES_MAX bytes, and is refused beyond them", () => {
  const loopOf = (bytes: number, unit: string) => {
    const empty = JSON.stringify(toolLoop("a", { description: "" })).length;
    const width = new TextEncoder().encode(unit).length;
    const rest = bytes - empty;
    const filling = unit.repeat(Math.floor(rest / width)) + "x".repeat(rest % width);
    return toolLoop("a", { description: filling });
  };
  for (const unit of ["x", "ä", "💡"]) {
    expect(problemsOf(loopOf(DOCUMENT_BYTES_MAX, unit))).toEqual([]);
    expect(problemsOf(loopOf(DOCUMENT_BYTES_MAX + 1, unit))).toEqual(["document-size "]);
  }
});

test("a document nests up to DOCUMENT_DEPTH_MAX deep, and is refused beyond that", () => {
  const loopOf = (depth: number) => {
    let part: JsonValue = 1;
    // The document and its `metadata` are the first two levels.
    for (let level = 2; level < depth; level++) part = [part];
    return toolLoop("a", { metadata: { part } });
  };
  expect(problemsOf(loopOf(DOCUMENT_DEPTH_MAX))).toEqual([]);
  expect(problemsOf(loopOf(DOCUMENT_DEPTH_MAX + 1))).toEqual(["document-size "]);
});

test("a document whose parts are shared endlessly is refused at once", () => {
  let part: object = { leaf: "x" };
  for (let level = 0; level < 60; level++) part = { left: part, right: part };
  expect(problemsOf(toolLoop("a", { metadata: { part: part as JsonValue } }))).toEqual([
    "document-size ",
  ]);
});

test("a template has up to TEMPLATE_BYTES_MAX bytes, and so has a system prompt", () => {
  for (const field of ["template", "systemPrompt"] as const) {
    for (const unit of ["x", "é"]) {
      const fitting = unit.repeat(TEMPLATE_BYTES_MAX / new TextEncoder().encode(unit).length);
      expect(problemsOf(withPrompt({ [field]: fitting }))).toEqual([]);
      expect(problemsOf(withPrompt({ [field]: `${fitting}x` }))).toEqual([
        `template-size /prompt/${field}`,
      ]);
    }
  }
});

test("a template uses only variables that are declared", () => {
  expect(problemsOf(withPrompt({ template: "{{a}} {{ b }}", variables: ["a", "b"] }))).toEqual([]);
  expect(problemsOf(withPrompt({ template: "{{a}} {{b}} {{b}}", variables: ["a"] }))).toEqual([
    "template-variable /prompt/template",
  ]);
  expect(problemsOf(withPrompt({ template: "{% if a %}{b}", variables: [] }))).toEqual([]);
  expect(problemsOf(withPrompt({ variables: ["constructor"] }))).toEqual([
    "name-reserved /prompt/variables",
  ]);
});

test("a composite has up to STEPS_MAX steps", () => {
  const steps = (count: number) => compositeLoop("wide", Array(count).fill(step("a")));
  expect(problemsOf(steps(STEPS_MAX))).toEqual([]);
  expect(problemsOf(steps(STEPS_MAX + 1))).toEqual(["steps-limit /composite/steps"]);
});

test("a composite has up to EXPRESSIONS_MAX expressions, in all its mappings", () => {
  const fields = (count: number): Mapping =>
    Object.fromEntries(Array.from({ length: count }, (_, index) => [`f${index}`, { cel: "1" }]));
  const grantMapping: Mapping = { depth: { cel: "0" } };
  const mapped = (count: number) =>
    compositeLoop("computed", [], {
      composite: {
        steps: [{ ...step("a", fields(count - 2)), grantMapping }],
        outputMapping: fields(1),
      },
    });
  expect(problemsOf(mapped(EXPRESSIONS_MAX))).toEqual([]);
  expect(problemsOf(mapped(EXPRESSIONS_MAX + 1))).toEqual(["mapping-expression /composite"]);
});

test("long names of bindings make no check long, and no report large", () => {
  const long = "a".repeat(1_000);
  const steps = Array.from({ length: 128 }, (_, index) => step("a", {}, `${long}${index}`));
  const wrong = Array.from({ length: 128 }, (_, index): [string, Mapping[string]][] => [
    [`x${index}`, { cel: `${long}b${index}` }],
    [`y${index}`, `$.b${index}`],
  ]);
  const outputMapping: Mapping = Object.fromEntries(wrong.flat());
  let checked = checkLoop({}, "strict");
  const ms = cpuMs(() => {
    checked = checkLoop(compositeLoop("l", [], { composite: { steps, outputMapping } }), "strict");
  });
  expect(checked.kind === "refused" && checked.problems.length).toBe(256);
  expect(JSON.stringify(checked).length).toBeLessThan(500_000);
  expect(ms).toBeLessThan(1_000);
});

test("a step is given less of what a grant has, and of nothing that is counted for the run", () => {
  const given = (grantMapping: Mapping) => compositeLoop("g", [{ ...step("a"), grantMapping }]);
  expect(problemsOf(given({ tools: { const: ["local.a"] }, depth: { const: 0 } }))).toEqual([]);
  for (const field of ["budget", "perPeriod", "grantor", "wishes"])
    expect(problemsOf(given({ [field]: { const: 1 } }))).toEqual([
      `grant-field /composite/steps/0/grantMapping/${field}`,
    ]);
});

test("a policy asks for at most TIMEOUT_MS_MAX", () => {
  const withTimeout = (timeoutMs: number) => toolLoop("a", { policy: { timeoutMs } });
  expect(problemsOf(withTimeout(TIMEOUT_MS_MAX))).toEqual([]);
  expect(problemsOf(withTimeout(TIMEOUT_MS_MAX + 1))).toEqual(["field-type /policy/timeoutMs"]);
  for (const timeoutMs of [0, -1, 0.5]) {
    expect(problemsOf(withTimeout(timeoutMs))).toEqual(["field-type /policy/timeoutMs"]);
  }
});

test("a binding is called neither input nor steps, nor like a prototype, nor twice", () => {
  for (const binding of ["input", "steps"]) {
    expect(problemsOf(composed(["a", {}, binding]))).toEqual([
      "binding-name /composite/steps/0/outputBinding",
    ]);
  }
  for (const binding of ["__proto__", "constructor", "prototype"]) {
    expect(problemsOf(composed(["a", {}, binding]))).toEqual([
      "name-reserved /composite/steps/0/outputBinding",
    ]);
  }
  expect(problemsOf(composed(["a", {}, "one"], ["a", {}, "two"], ["a", {}, "one"]))).toEqual([
    "binding-repeated /composite/steps/2/outputBinding",
  ]);
});

test.each([
  "$.input",
  "$.input.any.thing[3]['x y']",
  "$.first.output.a",
  "$.steps[0].output",
  "$.steps[-1].status",
  "literal:$.nonsense[",
])("%s may stand in a mapping after one step", (source) => {
  expect(problemsOf(composed(["a", {}, "first"], ["a", { x: source }]))).toEqual([]);
});

test.each([
  ["mapping-root", "$.second.output"],
  ["mapping-root", "$.steps[1].output"],
  ["mapping-root", "$.steps[-2].output"],
  ["mapping-root", "$"],
  ["mapping-root", "$.steps"],
  ["mapping-root", "$.steps.length"],
  ["mapping-root", "$[0]"],
  ["mapping-root", "$.toString"],
  ["mapping-path", "input.a"],
  ["mapping-path", "$.input[*]"],
  ["mapping-path", "$..a"],
  ["mapping-path", "$.input.__proto__"],
  ["mapping-path", "$.input['constructor']"],
  ["mapping-path", "$.input[0"],
  ["mapping-path", ""],
])("%s: %s may not stand in a mapping after one step", (rule, source) => {
  const loop = composed(["a", {}, "first"], ["a", { x: source }], ["a", {}, "second"]);
  expect(problemsOf(loop)).toEqual([`${rule} /composite/steps/1/inputMapping/x`]);
});

test("a problem of a mapping points to its field, also one with a slash", () => {
  expect(problemsOf(composed(["a", { "x/y": "nonsense" }]))).toEqual([
    "mapping-path /composite/steps/0/inputMapping/x~1y",
  ]);
});

test("a step cannot start from what itself gives, an output mapping can", () => {
  const mapping: Mapping = { x: "$.own.output" };
  expect(problemsOf(composed(["a", mapping, "own"]))).toEqual([
    "mapping-root /composite/steps/0/inputMapping/x",
  ]);
  const composite = { steps: [step("a", {}, "own")], outputMapping: mapping };
  expect(problemsOf(compositeLoop("whole", [], { composite }))).toEqual([]);
  const unknown = { steps: [step("a")], outputMapping: mapping };
  expect(problemsOf(compositeLoop("whole", [], { composite: unknown }))).toEqual([
    "mapping-root /composite/outputMapping/x",
  ]);
});

test("every problem is reported, not only the first", () => {
  const loop = promptLoop("ask", {
    inputSchema: { type: "nothing" },
    outputSchema: { $ref: "#/$defs/absent" },
    prompt: { template: "{{a}}{{b}}", variables: [] },
    policy: { timeoutMs: TIMEOUT_MS_MAX + 1 },
  });
  expect(problemsOf(loop)).toEqual([
    "schema-invalid /inputSchema/type",
    "schema-reference /outputSchema/$ref",
    "field-type /policy/timeoutMs",
    "template-variable /prompt/template",
    "template-variable /prompt/template",
  ]);
});

test.each([undefined, { id: "mock" }])("a prompt with backend %j says who answers", (backend) => {
  const { backend: _, ...rest } = promptLoop("ask");
  const checked = checkLoop(backend === undefined ? rest : { ...rest, backend }, "strict");
  expect(checked).toMatchObject({ kind: "checked", warnings: [{ rule: "backend-scripted" }] });
});

test("a prompt with a backend, and a tool without one, warn of nothing", () => {
  for (const document of [promptLoop("ask"), toolLoop("act")]) {
    expect(checkLoop(document, "strict")).toMatchObject({ kind: "checked", warnings: [] });
  }
});

interface RegisterVector {
  readonly description: string;
  readonly input: { readonly document: unknown; readonly mode: ParseMode };
  readonly expect: { readonly kind: string; readonly problems?: readonly Problem[] };
}
const vectors: readonly RegisterVector[] = JSON.parse(
  readFileSync(new URL("../../../../spec/vectors/loop/register.json", import.meta.url), "utf8"),
);

test.each(vectors)("register.json: $description", ({ input, expect: expected }) => {
  const checked = checkLoop(input.document, input.mode);
  expect(checked.kind).toBe(expected.kind === "registered" ? "checked" : "refused");
  const found = checked.kind === "refused" ? checked.problems : [];
  expect(found.map(({ rule, path }) => ({ rule, path }))).toEqual(expected.problems ?? []);
});
