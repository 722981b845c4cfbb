import { QUESTION_TOOL, ROLLBACK_REST, ROLLBACK_REST_VERSION } from "../tool-reference.ts";
import type { Loop } from "./loop.ts";

/** How much of a run was not taken back. */
export interface RollbackRest {
  readonly run: string;
  readonly notTakenBack: number;
  readonly of: number;
  /** How each step ended, in the order of the plan, and what each was to take back. */
  readonly steps: readonly string[];
  readonly actions: readonly string[];
}

/** A person's answer: the action stays as it is, or they took it back themselves. */
export interface RestAnswer {
  readonly rest: "stays" | "taken-back-by-hand";
}

/**
 * The question of a rollback that has tried everything, with an action left. The grant has to allow
 * `turnseal.question`.
 */
export const rollbackRest: Loop<RollbackRest, RestAnswer> = {
  definition: {
    id: ROLLBACK_REST,
    name: ROLLBACK_REST,
    version: ROLLBACK_REST_VERSION,
    description: "Asks a person what becomes of the actions that could not be taken back.",
    kind: "tool",
    inputSchema: {
      type: "object",
      properties: {
        run: { type: "string" },
        notTakenBack: { type: "integer" },
        of: { type: "integer" },
        steps: { type: "array", items: { type: "string" } },
        actions: { type: "array", items: { type: "string" } },
      },
      required: ["run", "notTakenBack", "of", "steps", "actions"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: { rest: { enum: ["stays", "taken-back-by-hand"] } },
      required: ["rest"],
      additionalProperties: false,
    },
    tool: { implementation: QUESTION_TOOL },
  },
};
