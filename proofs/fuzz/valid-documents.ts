/** The material that is broken: documents, inputs, paths and templates, all valid at first. */
import type { LoopDef } from "@turnseal/protocol";

const header = (id: string) => ({ id, name: id, version: "1.0.0" });

export const person = {
  type: "object",
  properties: {
    name: { type: "string", minLength: 1, maxLength: 80, pattern: "^[^<>]*$" },
    age: { type: "integer", minimum: 0, exclusiveMaximum: 150 },
    tags: { type: "array", items: { type: "string" }, uniqueItems: true, maxItems: 5 },
    address: { $ref: "#/$defs/address" },
    score: { type: "number", multipleOf: 0.5 },
  },
  required: ["name"],
  additionalProperties: false,
  $defs: {
    address: {
      type: "object",
      properties: { city: { type: "string" }, next: { $ref: "#/$defs/address" } },
      dependentRequired: { next: ["city"] },
    },
  },
};

const shape = {
  oneOf: [
    { properties: { kind: { const: "circle" }, radius: { type: "number" } }, required: ["radius"] },
    {
      properties: { kind: { enum: ["group"] }, items: { type: "array", items: { $ref: "#" } } },
      required: ["items"],
      unevaluatedProperties: false,
    },
  ],
};

/** Loops that the others refer to; they are registered unbroken. */
export const companions: readonly LoopDef[] = [
  {
    ...header("echo"),
    kind: "tool",
    inputSchema: true,
    outputSchema: true,
    tool: { implementation: "builtin:echo" },
  },
  {
    ...header("fail"),
    kind: "tool",
    inputSchema: {},
    outputSchema: {},
    tool: { implementation: "local.fail" },
  },
];

export const documents: readonly LoopDef[] = [
  {
    ...header("save-person"),
    description: "Saves a person.",
    kind: "tool",
    inputSchema: person,
    outputSchema: person,
    tool: { implementation: "builtin:echo", config: { table: "people", retry: [1, 2] } },
    policy: { timeoutMs: 1_000 },
    metadata: { owner: { team: "a" } },
  },
  {
    ...header("draw"),
    kind: "tool",
    inputSchema: shape,
    outputSchema: { type: ["object", "null"] },
    tool: { implementation: "builtin:echo" },
  },
  {
    ...header("greet"),
    kind: "prompt",
    inputSchema: person,
    outputSchema: { type: "object", properties: { text: { type: "string" } }, required: ["text"] },
    prompt: {
      template: "Greet {{name}} of {{ age }} with {{tags}}.",
      variables: ["name", "age", "tags"],
      systemPrompt: "Be brief.",
      maxTokens: 100,
      temperature: 0.5,
      topP: 0.5,
      stop: ["END"],
      seed: 7,
      tools: [{ loopId: "echo" }],
      toolChoice: { loopId: "echo" },
      reasoning: { effort: "low" },
      providerOptions: { openai: { textVerbosity: "low" } },
    },
    backend: { id: "mock", model: "any" },
  },
  {
    ...header("classify"),
    kind: "prompt",
    inputSchema: { type: "object" },
    outputSchema: {
      type: "object",
      properties: { label: { enum: ["a", "b"] }, sure: { type: "boolean" } },
      required: ["label", "sure"],
    },
    prompt: { template: "Classify {{text}}", variables: ["text"] },
  },
  {
    ...header("pipeline"),
    kind: "composite",
    inputSchema: person,
    outputSchema: {},
    composite: {
      steps: [
        { loopId: "echo", inputMapping: { name: "$.input.name" }, outputBinding: "first" },
        {
          loopId: "echo",
          loopVersion: "1.0.0",
          inputMapping: { again: "$.first.output.name", tag: "$.input.tags[0]", one: { const: 1 } },
        },
        { loopId: "fail", inputMapping: { text: "literal:x", last: "$.steps[-1].output" } },
      ],
      outputMapping: {
        name: "$.first.output.name",
        raw: "$.steps[1].output['again']",
        said: { cel: "has(input.age) ? 'Hi ' + first.output.name : 'x'" },
      },
    },
  },
  {
    ...header("short"),
    kind: "composite",
    inputSchema: {},
    outputSchema: { type: "object" },
    composite: { steps: [{ loopId: "echo", inputMapping: { all: "$.input" } }] },
  },
];

export const inputs: readonly unknown[] = [
  { name: "Ada", age: 36, tags: ["a", "b"], score: 1.5 },
  { name: "Bo", address: { city: "Rome", next: { city: "Oslo" } } },
  {
    kind: "group",
    items: [
      { kind: "circle", radius: 2 },
      { kind: "group", items: [] },
    ],
  },
  { text: "some text", list: [1, [2, [3]]], nothing: null },
];

export const paths: readonly string[] = [
  "$.input.name",
  "$.input.tags[0]",
  "$.input['a b'].c",
  '$.first.output["x"]',
  "$.steps[-1].output.list[1][0]",
  "$['input']['list'][1]",
  "$",
];

export const templates: readonly string[] = [
  "Hello {{name}}",
  "{{a}}{{ b }}{{a}}",
  "{{ {{name}} }} {%x%} }}{{",
  "{{äöü_1.2-3}}",
];
