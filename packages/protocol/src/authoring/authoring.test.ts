import { readFileSync } from "node:fs";
import { type } from "arktype";
import { describe, expect, test } from "vitest";
import { z } from "zod";
import { CanonicalJsonError } from "../canonical-json.ts";
import { digestOf } from "../digest.ts";
import type { LoopDef } from "../loop/loop-def.ts";
import { parseLoopDef } from "../loop/parse-loop-def.ts";
import { AUTHORING_ERROR_CODES, AuthoringError } from "./authoring-error.ts";
import { defineComposite } from "./define-composite.ts";
import { definePrompt } from "./define-prompt.ts";
import { defineTool } from "./define-tool.ts";
import { jsonSchema } from "./json-schema-source.ts";

const passage = z.object({ text: z.string() });
const search = defineTool({
  id: "search",
  version: "1.2.0",
  name: "Search",
  input: z.object({ query: z.string(), limit: z.int().min(1).optional() }),
  output: z.object({ passages: z.array(passage) }),
  config: { index: "docs" },
  run: ({ query }) => ({ passages: [{ text: query }] }),
});
const respond = definePrompt({
  id: "respond",
  version: "1.0.0",
  description: "Answers from passages.",
  input: z.object({ question: z.string(), passages: z.array(passage) }),
  output: z.object({ text: z.string() }),
  template: "Answer {{ question }} from {{passages}}, {{question}}!",
  system: "Be brief.",
  backend: { id: "openai", model: "gpt-5-mini" },
  maxTokens: 200,
  temperature: 0,
  topP: 0.5,
  stop: ["END"],
  seed: 7,
  tools: [search],
  toolChoice: search,
  reasoning: { effort: "low" },
  providerOptions: { openai: { textVerbosity: "low" } },
  policy: { timeoutMs: 5_000 },
  metadata: { owner: "docs" },
});
const answer = defineComposite({
  id: "answer",
  version: "2.0.0",
  input: z.object({ question: z.string(), "odd name": z.array(z.string()) }),
  output: z.object({ text: z.string() }),
  steps: (steps) =>
    steps
      .call("found", search, ({ input }) => ({ query: input["odd name"][-1], limit: 3 }))
      .call("reply", respond, ({ input, found }) => ({
        question: input.question,
        passages: found.output.passages,
      })),
});

const passageSchema = {
  type: "object",
  properties: { text: { type: "string" } },
  required: ["text"],
};
const textSchema = passageSchema;

/** The same loops, written as documents. */
const documents: Record<string, unknown> = {
  search: {
    kind: "tool",
    tool: { implementation: "local.search", config: { index: "docs" } },
    version: "1.2.0",
    name: "Search",
    id: "search",
    inputSchema: {
      type: "object",
      properties: {
        query: { type: "string" },
        limit: { type: "integer", minimum: 1, maximum: 9007199254740991 },
      },
      required: ["query"],
    },
    outputSchema: {
      type: "object",
      properties: { passages: { type: "array", items: passageSchema } },
      required: ["passages"],
    },
  },
  respond: {
    id: "respond",
    name: "respond",
    version: "1.0.0",
    description: "Answers from passages.",
    inputSchema: {
      type: "object",
      properties: {
        question: { type: "string" },
        passages: { type: "array", items: passageSchema },
      },
      required: ["question", "passages"],
    },
    outputSchema: textSchema,
    kind: "prompt",
    prompt: {
      template: "Answer {{ question }} from {{passages}}, {{question}}!",
      variables: ["question", "passages"],
      systemPrompt: "Be brief.",
      maxTokens: 200,
      temperature: 0,
      topP: 0.5,
      stop: ["END"],
      seed: 7,
      tools: [{ loopId: "search", loopVersion: "1.2.0" }],
      toolChoice: { loopId: "search", loopVersion: "1.2.0" },
      reasoning: { effort: "low" },
      providerOptions: { openai: { textVerbosity: "low" } },
    },
    backend: { id: "openai", model: "gpt-5-mini" },
    policy: { timeoutMs: 5000 },
    metadata: { owner: "docs" },
  },
  answer: {
    id: "answer",
    name: "answer",
    version: "2.0.0",
    inputSchema: {
      type: "object",
      properties: {
        question: { type: "string" },
        "odd name": { type: "array", items: { type: "string" } },
      },
      required: ["question", "odd name"],
    },
    outputSchema: textSchema,
    kind: "composite",
    composite: {
      steps: [
        {
          loopId: "search",
          loopVersion: "1.2.0",
          inputMapping: { query: '$.input["odd name"][-1]', limit: { const: 3 } },
          outputBinding: "found",
        },
        {
          loopId: "respond",
          loopVersion: "1.0.0",
          inputMapping: { question: "$.input.question", passages: "$.found.output.passages" },
          outputBinding: "reply",
        },
      ],
    },
  },
};

describe("the document of a loop written in TypeScript", () => {
  test.each([
    ["search", search.definition],
    ["respond", respond.definition],
    ["answer", answer.definition],
  ])("%s is the one written by hand, with the same digest", (id, definition) => {
    expect(definition).toEqual(documents[id]);
    expect(digestOf(definition)).toBe(digestOf(documents[id]));
    expect(parseLoopDef(definition)).toMatchObject({ kind: "parsed", warnings: [] });
  });

  describe("a tool that asks", () => {
    const order = { input: jsonSchema<{ cents: number }>(true), output: jsonSchema<object>(true) };
    const define = (asks: string | ((input: { cents: number }) => string | null)) =>
      defineTool({ id: "pay", ...order, asks, run: () => ({}) });

    test("has its question on the card of each call", () => {
      const asked = { kind: "ask", why: "tool-asks", description: "Pay it?" };
      expect(define("Pay it?").gate?.({ cents: 1 })).toEqual(asked);
    });

    test("may need nobody for an input, and asks where its function fails", () => {
      const large = define(({ cents }) => (cents > 100 ? `Pay ${cents}?` : null));
      expect(large.gate?.({ cents: 100 })).toEqual({ kind: "run", why: "not-needed" });
      expect(large.gate?.({ cents: 101 })).toMatchObject({ kind: "ask", description: "Pay 101?" });
      const failing = define(() => {
        throw new Error("broken");
      });
      expect(failing.gate?.({ cents: 1 })).toMatchObject({ kind: "ask", why: "gate-failed" });
    });

    test("has no other gate beside it", () => {
      const gate = () => ({ kind: "blocked" }) as const;
      const both = { id: "pay", ...order, asks: "Pay it?", gate, run: () => ({}) };
      expect(() => defineTool(both)).toThrow("pay has both `asks` and `gate`");
    });
  });

  test("can be a document of the specification", () => {
    const file = new URL("../../../../spec/vectors/loop/documents/echo.json", import.meta.url);
    const echo = defineTool({
      id: "echo",
      name: "Echo",
      description: "Gives back what it was given.",
      version: "1.0.0",
      implementation: "builtin:echo",
      input: jsonSchema<object>({ type: "object" }),
      output: jsonSchema<object>({ type: "object" }),
      run: (input) => input,
    });
    expect(digestOf(echo.definition)).toBe(digestOf(JSON.parse(readFileSync(file, "utf8"))));
  });

  test("has the function beside it, not in it", () => {
    expect(search.run?.({ query: "a" }, undefined as never)).toEqual({ passages: [{ text: "a" }] });
    expect(JSON.stringify(search.definition)).not.toContain("=>");
  });
});

describe("schemas", () => {
  function schemasOf(input: Parameters<typeof defineTool>[0]["input"]): LoopDef["inputSchema"] {
    const output = jsonSchema<unknown>(true);
    const run = (): unknown => null;
    return defineTool({ id: "a", version: "1.0.0", input, output, run }).definition.inputSchema;
  }

  test("of zod and arktype are the same for the same shape, without $schema", () => {
    const expected = {
      type: "object",
      properties: { count: { type: "number" } },
      required: ["count"],
    };
    expect(schemasOf(z.object({ count: z.number() }))).toEqual(expected);
    expect(schemasOf(type({ count: "number" }))).toEqual(expected);
  });

  test("written by hand are taken as they are", () => {
    const schema = { $schema: "https://json-schema.org/draft/2020-12/schema", type: "object" };
    expect(schemasOf(jsonSchema(schema))).toBe(schema);
    expect(schemasOf(jsonSchema(false))).toBe(false);
  });

  test("describe the wire: the side that goes in, before defaults and transforms", () => {
    const schema = schemasOf(
      z.object({ a: z.string().default("x"), b: z.string().transform(Number) }),
    );
    expect(schema).toMatchObject({ required: ["b"], properties: { b: { type: "string" } } });
  });
});

describe("composites", () => {
  const input = z.object({ query: z.string() });
  const open = defineTool({
    id: "open",
    version: "1.0.0",
    input: jsonSchema<{ payload?: unknown }>(true),
    output: jsonSchema<{ payload: unknown }>(true),
    run: () => ({ payload: null }),
  });
  const define = (payload: (from: { query: unknown }) => unknown): LoopDef =>
    defineComposite({
      id: "outer",
      version: "1.0.0",
      input,
      output: jsonSchema<{ payload: unknown }>(true),
      steps: (steps) =>
        steps.call("only", open, (sources) => ({ payload: payload(sources.input) })),
    }).definition;

  test("an output mapping is part of the document", () => {
    const { definition } = defineComposite({
      id: "outer",
      version: "1.0.0",
      input,
      output: z.object({ first: z.string(), status: z.string(), fixed: z.array(z.number()) }),
      steps: (steps) =>
        steps
          .call("found", search, (sources) => ({ query: sources.input.query }))
          .output(({ found }) => ({
            first: found.output.passages[0].text,
            status: found.status,
            fixed: [1, 2],
          })),
    });
    expect(definition.composite?.outputMapping).toEqual({
      first: "$.found.output.passages[0].text",
      status: "$.found.status",
      fixed: { const: [1, 2] },
    });
    expect(parseLoopDef(definition).kind).toBe("parsed");
  });

  test("a field that is undefined is left out, and a constant is a copy", () => {
    expect(define(() => undefined).composite?.steps?.[0]?.inputMapping).toEqual({});
    const list = [1, 2];
    const { composite } = define(() => list);
    list.push(3);
    expect(composite?.steps?.[0]?.inputMapping).toEqual({ payload: { const: [1, 2] } });
  });

  test("a text that looks like a path is a constant, not a path", () => {
    const { composite } = define(() => "$.input.query");
    expect(composite?.steps?.[0]?.inputMapping).toEqual({ payload: { const: "$.input.query" } });
  });

  test("a constant that is no JSON is refused where it is written", () => {
    expect(() => define(() => new Date(0))).toThrow(CanonicalJsonError);
    expect(() => define(() => ({ deep: Number.NaN }))).toThrow(CanonicalJsonError);
  });

  test.each<[string, (from: { query: unknown }) => unknown]>([
    ["inside an object", (from) => ({ query: from.query })],
    ["inside a list", (from) => [from.query]],
    ["spread into an object", (from) => ({ ...from })],
  ])("a reference %s is REFERENCE_MISPLACED", (_, payload) => {
    expect(AUTHORING_ERROR_CODES).toContain("REFERENCE_MISPLACED");
    expect(() => define(payload)).toThrow(AuthoringError);
    expect(() => define(payload)).toThrow(expect.objectContaining({ code: "REFERENCE_MISPLACED" }));
  });

  test("a reference cannot be joined to a text, and says what to do", () => {
    expect(() => define((from) => `about ${String(from.query)}`)).toThrow(
      expect.objectContaining({
        code: "REFERENCE_MISPLACED",
        message: expect.stringContaining("$.input.query is used as text or a number"),
      }),
    );
  });
});

test("a prompt says which of its tools may act together, and that it mends its output", () => {
  const loop = definePrompt({
    id: "agent",
    version: "1.0.0",
    input: z.object({}),
    output: z.object({ text: z.string() }),
    template: "Go",
    tools: [{ loop: search, independent: true }, respond],
    outputRepairs: 1,
  });
  expect(loop.definition.prompt).toMatchObject({
    tools: [
      { loopId: "search", loopVersion: search.definition.version, independent: true },
      { loopId: "respond", loopVersion: "1.0.0" },
    ],
    outputRepairs: 1,
  });
  expect(loop.definition.prompt?.tools?.[1]).not.toHaveProperty("independent");
});

test.each([
  ["irreversible", { irreversible: "mail is final" }],
  ["artifacts", { artifacts: { root: "site" } }],
])("a tool with a compensation beside %s is TOOL_UNUSABLE", (name, other) => {
  const tool = {
    id: "put",
    input: passage,
    output: passage,
    run: (input: { text: string }) => input,
  };
  const define = () => defineTool({ ...tool, ...other, compensate: { run: () => null } });
  expect(define).toThrow(
    expect.objectContaining({ code: "TOOL_UNUSABLE", message: expect.stringContaining(name) }),
  );
});

test.each([
  ["a date", z.date(), "for a date use `z.iso.datetime()`"],
  ["a date within", z.object({ at: z.date() }), "for a date use `z.iso.datetime()`"],
  ["a large number", z.bigint(), "for a large number use `z.string()`"],
  ["a map", z.map(z.string(), z.string()), "for a Map use `z.record("],
  ["a set", z.set(z.string()), "for a Set use `z.array("],
  ["nothing", z.undefined(), "use `.optional()`"],
  ["a symbol", z.symbol(), "use texts, numbers, booleans, lists and objects"],
])("%s in a schema is SCHEMA_UNFIT, with the loop and what to use", (_, schema, mend) => {
  const fields = { id: "pay", run: () => null };
  const define = (input: z.ZodType, output: z.ZodType) => () =>
    defineTool({ ...fields, input, output } as never);
  expect(define(schema, z.any())).toThrow(
    expect.objectContaining({
      code: "SCHEMA_UNFIT",
      message: expect.stringContaining("the input of tool pay has a type that JSON has not: "),
    }),
  );
  expect(define(z.any(), schema)).toThrow(mend);
  expect(define(z.any(), schema)).toThrow("the output of tool pay");
});
