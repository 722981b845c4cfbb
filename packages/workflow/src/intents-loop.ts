/** The tool that reads what a model means from its plain text. */
import type { JsonObject, LoopDef } from "@turnseal/protocol";
import { FETCH_VERB } from "./fetch-loop.ts";
import { type Intent, parseDecision, type Verbs } from "./parse-intents.ts";

const TEXTS = { type: "array", items: { type: "string" } };

/** Its function is pure: the same text always gives the same. */
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
          properties: {
            ...{ verb: { type: "string" }, target: { type: "string" }, args: TEXTS },
            from: { type: "integer" },
          },
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
  const taken = actions.slice(0, max).map(readNumber);
  return { thinking, actions: taken, done: done && actions.length <= max };
}

/** The number after the handle of a fetch is where it begins. */
function readNumber({ args, ...intent }: Intent): JsonObject {
  const [first = ""] = args;
  const isFrom = intent.verb === FETCH_VERB && /^\d{1,15}$/.test(first);
  return { ...intent, args: [...args], ...(isFrom ? { from: Number(first) } : {}) };
}
