import { GROUP_REST, GROUP_REST_VERSION, QUESTION_TOOL } from "../tool-reference.ts";
import type { Loop } from "./loop.ts";

/** A group that was done in part, and how each of its members ended. */
export interface GroupRest {
  readonly path: string;
  readonly members: readonly {
    readonly tool: string;
    readonly key: string;
    readonly end: string;
  }[];
}

/** A person's answer: the rest stays as it is, or they put it right themselves. */
export interface GroupRestAnswer {
  readonly rest: "stays" | "put-right-by-hand";
}

/** The question of a group that was neither done nor taken back as a whole. */
export const groupRest: Loop<GroupRest, GroupRestAnswer> = {
  definition: {
    id: GROUP_REST,
    name: GROUP_REST,
    version: GROUP_REST_VERSION,
    description: "Asks a person what becomes of a group that was done in part.",
    kind: "tool",
    inputSchema: {
      type: "object",
      properties: {
        path: { type: "string" },
        members: {
          type: "array",
          items: {
            type: "object",
            properties: {
              ...{ tool: { type: "string" }, key: { type: "string" } },
              end: { enum: ["done", "not-done", "taken-back", "unknown"] },
            },
            required: ["tool", "key", "end"],
            additionalProperties: false,
          },
        },
      },
      required: ["path", "members"],
      additionalProperties: false,
    },
    outputSchema: {
      type: "object",
      properties: { rest: { enum: ["stays", "put-right-by-hand"] } },
      required: ["rest"],
      additionalProperties: false,
    },
    tool: { implementation: QUESTION_TOOL },
  },
};
