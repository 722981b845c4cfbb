/** The tool that reads what a model means from its plain text. */
import type { JsonObject, LoopDef } from "@turnseal/protocol";
import { parseDecision, type Verbs } from "./parse-intents.ts";

const TEXTS = { type: "array", items: { type: "string" } };

/** Its function changes nothing and asks nobody: the same text always gives the same. */
export const INTENTS_LOOP: LoopDef = {
  id: "workflow-intents",
  name: "Reads actions from a text",
  version: "1.0.0",
  kind: "tool",
  inputSchema: {
    type: "object",
    properties: {
      text: { type: "string" },
      verbs: { type: "object", additionalProperties: TEXTS },
      max: { type: "integer", minimum: 1 },
    },
    required: ["text", "verbs", "max"],
    additionalProperties: false,
  },
  outputSchema: {
    type: "object",
    properties: {
      thinking: { type: "string" },
      actions: {
        type: "array",
        items: {
          type: "object",
          properties: { verb: { type: "string" }, target: { type: "string" }, args: TEXTS },
          required: ["verb", "args"],
        },
      },
      done: { type: "boolean" },
    },
    required: ["thinking", "actions", "done"],
  },
  tool: { implementation: "workflow.intents" },
};

/** Actions past the most that are allowed are left for another turn: it is not done then. */
export function readIntents(input: unknown): JsonObject {
  const { text, verbs, max } = input as {
    readonly text: string;
    readonly verbs: Verbs;
    readonly max: number;
  };
  const { thinking, actions, done } = parseDecision(text, verbs);
  const taken = actions.slice(0, max).map((action) => ({ ...action, args: [...action.args] }));
  return { thinking, actions: taken, done: done && actions.length <= max };
}
