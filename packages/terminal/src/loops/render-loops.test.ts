import { createRegistry } from "@turnseal/kernel";
import { expect, test } from "vitest";
import { formatLine } from "../screen/line.ts";
import { renderLoopDetail, renderLoopList } from "./render-loops.ts";

const registry = createRegistry();
const open = { version: "1.0.0", inputSchema: true, outputSchema: { type: "object" } };

function register(document: object) {
  const answer = registry.register({ ...open, ...document });
  if (answer.kind === "refused") throw new Error(JSON.stringify(answer.problems));
  return answer.loop;
}

const greet = register({
  id: "greet",
  name: "Greeting",
  description: "says\u001b[2J hello",
  kind: "prompt",
  prompt: { template: "Hello {{name}}\nBye", variables: ["name"], systemPrompt: "Be brief." },
  backend: { id: "openai", model: "small" },
});
const echo = register({
  id: "echo-it",
  name: "echo-it",
  kind: "tool",
  tool: { implementation: "builtin:echo" },
});
const both = register({
  id: "both",
  name: "both",
  kind: "composite",
  composite: {
    steps: [{ loopId: "greet", inputMapping: { name: "$.input.name" }, outputBinding: "hi" }],
    outputMapping: { text: "$.hi.output.text" },
  },
});

const show = (lines: readonly Parameters<typeof formatLine>[0][]): string[] =>
  lines.map((rendered) => formatLine(rendered, { isColoured: false }));

test("a list is a table; a name that repeats the id is left out", () => {
  const lines = show(renderLoopList([greet, echo]));
  expect(lines[0]).toMatch(/^greet {4}1\.0\.0 {2}prompt {2}sha256:[0-9a-f]{12} {2}Greeting$/);
  expect(lines[1]).toMatch(/^echo-it {2}1\.0\.0 {2}tool {4}sha256:[0-9a-f]{12}$/);
});

test("the detail of a prompt shows backend, texts and schemas", () => {
  const lines = show(renderLoopDetail(greet, "loops/greet.json"));
  expect(lines).toEqual([
    "greet 1.0.0 prompt",
    "name      Greeting",
    "about     says\\u001b[2J hello",
    "file      loops/greet.json",
    `digest    ${greet.digest}`,
    "backend   openai/small",
    "system    Be brief.",
    "template  Hello {{name}}\\nBye",
    "input",
    "  true",
    "output",
    "  {",
    '    "type": "object"',
    "  }",
  ]);
});

test("the detail of a composite shows its steps and its result", () => {
  const lines = show(renderLoopDetail(both, "both.json"));
  expect(lines.slice(4, 8)).toEqual([
    "steps",
    "  1. greet as hi",
    '     {"name":"$.input.name"}',
    'result    {"text":"$.hi.output.text"}',
  ]);
});

test("the detail of a flow shows its nodes", () => {
  const node = { kind: "call", loopId: "greet", name: "hi", inputMapping: {} };
  const flow = register({
    ...{ id: "flow", name: "flow", kind: "composite" },
    composite: { flow: { kind: "repeat", until: "last.done", max: 3, body: node } },
  });
  expect(show(renderLoopDetail(flow, "flow.json")).slice(4, 7)).toEqual([
    "flow",
    "  repeat until last.done, at most 3 rounds",
    "  └─ call greet  as hi",
  ]);
});

test("the detail of a tool shows the name that a function is bound to", () => {
  expect(show(renderLoopDetail(echo, "echo.json"))).toContain("tool      builtin:echo");
});
