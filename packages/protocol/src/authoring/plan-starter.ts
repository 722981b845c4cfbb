import type { JsonValue } from "../canonical-json.ts";
import { PLAN_TOOL, PLAN_TOOL_VERSION } from "../tool-reference.ts";
import type { Loop } from "./loop.ts";

/** A plan, and its steps without their author's texts. */
export interface PlanToStart {
  readonly document: object;
  readonly steps: readonly object[];
}

/**
 * The tool that a plan begins with: it asks people for the whole of the plan. The grant has to
 * allow `turnseal.plan`.
 */
export const planStarter: Loop<PlanToStart, JsonValue> = {
  definition: {
    id: PLAN_TOOL,
    name: PLAN_TOOL,
    version: PLAN_TOOL_VERSION,
    description: "Asks people for a plan, before its first step is done.",
    kind: "tool",
    inputSchema: {
      type: "object",
      properties: {
        document: { type: "object" },
        steps: { type: "array", items: { type: "object" } },
      },
      required: ["document", "steps"],
      additionalProperties: false,
    },
    outputSchema: true,
    tool: { implementation: PLAN_TOOL },
  },
};
