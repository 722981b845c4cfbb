import type { JsonValue } from "../canonical-json.ts";
import { NAMED_LIFETIMES, type NoteSpec } from "../loop/note-spec.ts";
import { NOTE_TOOL } from "../tool-reference.ts";
import type { Loop } from "./loop.ts";

/** A note to write, or the id of one to drop. */
export type NoteTaken = NoteSpec | { readonly drop: string };

/**
 * A tool for prompts that shall remember beside their thread: what the model notes stands at the
 * end of each request, until it is over. The grant has to allow `turnseal.note`.
 */
export const noteTaker: Loop<NoteTaken, JsonValue> = {
  definition: {
    id: NOTE_TOOL,
    name: NOTE_TOOL,
    version: "1.0.0",
    description:
      "Writes a note that is shown in later requests. `task` notes a task, `start` makes it the " +
      "current one, `done` ends it, `blocked` says that it waits; `result` and `note` belong to " +
      "the current task; any other key is a fact. `lifetime` says when the note is over, or " +
      "`rounds` after how many requests. `drop` takes a note back by the id in its answer.",
    kind: "tool",
    inputSchema: {
      type: "object",
      properties: {
        key: { type: "string", minLength: 1, maxLength: 32 },
        text: { type: "string", minLength: 1 },
        lifetime: { enum: [...NAMED_LIFETIMES] },
        rounds: { type: "integer", minimum: 1 },
        drop: { type: "string" },
      },
      additionalProperties: false,
    },
    outputSchema: true,
    tool: { implementation: NOTE_TOOL },
  },
};
