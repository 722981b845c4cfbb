import { describe, expect, test } from "vitest";
import { z } from "zod";
import { definePrompt } from "./define-prompt.ts";
import { jsonSchema, type SchemaSource } from "./json-schema-source.ts";

const text = z.object({ text: z.string() });

describe("the variables of a template", () => {
  const prompt = (input: SchemaSource<Record<string, unknown>>, template: string) =>
    definePrompt({ id: "refund", version: "1.0.0", input, output: text, template }).definition
      .prompt?.variables;

  test("leave out a name that is no field of the input, for `check` to refuse", () => {
    expect(prompt(z.object({ order: z.string() }), "Refund {{ordr}} {{order}}.")).toEqual([
      "order",
    ]);
  });

  test.each([
    ["other fields", z.looseObject({ order: z.string() })],
    ["one of two forms", z.union([z.object({ a: z.string() }), z.object({ b: z.string() })])],
    ["any value", jsonSchema<Record<string, unknown>>(true)],
    ["a reference", jsonSchema<Record<string, unknown>>({ type: "object", $ref: "#/$defs/a" })],
  ])("keep every name where the input may have %s", (_, input) => {
    expect(prompt(input, "{{a}}{{b}}")).toEqual(["a", "b"]);
  });
});

test("a tool that is no loop is refused by name", () => {
  const tool = { description: "of another library" } as never;
  const define = () =>
    definePrompt({ id: "ask", input: text, output: text, template: "Go", tools: [tool] });
  expect(define).toThrow("a tool of a prompt is a loop");
});
