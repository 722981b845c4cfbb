import type { LoopDef } from "@turnseal/protocol";

const header = { version: "1.0.0" };

export const toolLoop: LoopDef = {
  ...header,
  id: "add",
  name: "add",
  kind: "tool",
  inputSchema: {
    type: "object",
    properties: { left: { type: "number" }, right: { type: "number" } },
    required: ["left", "right"],
    additionalProperties: false,
  },
  outputSchema: {
    type: "object",
    properties: { sum: { type: "number" } },
    required: ["sum"],
    additionalProperties: false,
  },
  tool: { implementation: "local.add" },
};

export const promptLoop: LoopDef = {
  ...header,
  id: "summarize",
  name: "summarize",
  kind: "prompt",
  inputSchema: {
    type: "object",
    properties: { text: { type: "string" } },
    required: ["text"],
    additionalProperties: false,
  },
  outputSchema: {
    type: "object",
    properties: { summary: { type: "string" } },
    required: ["summary"],
    additionalProperties: false,
  },
  prompt: { template: "Summarize in one sentence: {{text}}", variables: ["text"] },
  backend: { id: "instant", model: "instant" },
};
