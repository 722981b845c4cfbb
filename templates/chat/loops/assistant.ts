import { definePrompt, defineTool } from "turnseal";
import { z } from "zod";
import { backend } from "./model.ts";

const table = z.object({ people: z.int().positive(), time: z.string() });

export const findTable = defineTool({
  id: "find-table",
  version: "1.0.0",
  description: "Says whether a table is free",
  input: table,
  output: z.object({ isFree: z.boolean() }),
  effect: "read",
  // An error here reaches the model as the result of the tool.
  run: ({ people }) => {
    if (people > 8) throw new Error("our largest table has 8 chairs");
    return { isFree: true };
  },
});

/** Replace the body with a call of your booking system: the same key must never book twice. */
export const book = defineTool({
  id: "book",
  version: "1.0.0",
  description: "Books a table",
  input: table,
  output: z.object({ reference: z.string() }),
  effect: "idempotent",
  run: ({ people }, { key }) => ({ reference: `T${people}-${key.slice(0, 6)}` }),
});

/** Each message of a person is one turn, and each turn shows the model the conversation so far. */
export const assistant = definePrompt({
  id: "assistant",
  version: "1.0.0",
  system:
    "You are the assistant of a restaurant. Ask for the time and the number of people, see " +
    "whether a table is free, then book it. Answer in one sentence.",
  input: z.object({ text: z.string() }),
  output: z.object({ text: z.string() }),
  template: "{{text}}",
  tools: [findTable, book],
  backend,
});
