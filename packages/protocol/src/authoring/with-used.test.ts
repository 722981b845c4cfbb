import { expect, test } from "vitest";
import { defineComposite } from "./define-composite.ts";
import { definePrompt } from "./define-prompt.ts";
import { defineTool } from "./define-tool.ts";
import { jsonSchema } from "./json-schema-source.ts";
import { DEVELOPMENT_VERSION } from "./loop.ts";
import { withUsed } from "./with-used.ts";

const any = jsonSchema<object>(true);
const tool = (id: string, version?: string) =>
  defineTool({
    ...{ id, input: any, output: any, run: () => ({}) },
    ...(version === undefined ? {} : { version }),
  });
const look = tool("look");
const ask = definePrompt({
  ...{ id: "ask", input: any, output: any, template: "Ask" },
  tools: [look, { loop: tool("pay"), independent: true }],
});
const both = defineComposite({
  ...{ id: "both", input: any, output: any },
  steps: (steps) => steps.call("one", ask, () => ({})).call("two", look, () => ({})),
});

const names = (loops: readonly { readonly definition: { readonly id: string } }[]) =>
  loops.map(({ definition }) => definition.id);

test("tools of prompts and steps of composites are brought along, each once", () => {
  expect(names(withUsed([both]))).toEqual(["both", "ask", "look", "pay"]);
  expect(names(withUsed([look, both, ask]))).toEqual(["look", "both", "ask", "pay"]);
});

test("a loop that is listed stands in place of the one that is brought", () => {
  const other = tool("look");
  expect(withUsed([ask, other])).toEqual([ask, other, expect.anything()]);
  expect(withUsed([ask, other])).toContain(other);
  expect(withUsed([ask, other])).not.toContain(look);
});

test("another version is another loop", () => {
  expect(names(withUsed([ask, tool("look", "1.0.0")]))).toEqual(["ask", "look", "look", "pay"]);
});

test("a loop that names no version has that of development", () => {
  expect(look.definition.version).toBe(DEVELOPMENT_VERSION);
});
