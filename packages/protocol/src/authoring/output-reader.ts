import type { JsonValue } from "../canonical-json.ts";
import type { Loop } from "./loop.ts";

/** The part of an output to read, in bytes. All of them are bounded by the runtime. */
export interface OutputPart {
  readonly handle: string;
  readonly from?: number;
  readonly bytes?: number;
}

/**
 * A tool for prompts whose tools answer with much: the model is shown the beginning of a large
 * output with a handle, and reads on with this. The grant has to allow `turnseal.output`.
 */
export const outputReader: Loop<OutputPart, JsonValue> = {
  definition: {
    id: "turnseal.output",
    name: "turnseal.output",
    version: "1.0.0",
    description:
      "Reads a part of a large tool output. Takes the handle that came with its preview, and a " +
      "range in bytes; `next` in the answer is where it goes on.",
    kind: "tool",
    inputSchema: {
      type: "object",
      properties: {
        handle: { type: "string" },
        from: { type: "integer", minimum: 0 },
        bytes: { type: "integer", minimum: 1 },
      },
      required: ["handle"],
      additionalProperties: false,
    },
    outputSchema: true,
    tool: { implementation: "turnseal.output" },
  },
};
