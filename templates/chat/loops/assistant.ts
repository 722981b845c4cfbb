import { definePrompt, defineTool } from "turnseal";
import { z } from "zod";

/** Replace the body with a call of your booking system: the same key must never book twice. */
export const book = defineTool({
  id: "book",
  version: "1.0.0",
  description: "Books a table",
  input: z.object({ people: z.int().positive(), time: z.string() }),
  output: z.object({ reference: z.string() }),
  effect: "idempotent",
  run: ({ people }, { key }) => ({ reference: `table-${people}-${key.slice(0, 6)}` }),
});

/** What was said before in its run is shown to the model in each turn. */
export const assistant = definePrompt({
  id: "assistant",
  version: "1.0.0",
  system: "You are the assistant of a restaurant. Book tables, and answer in one sentence.",
  input: z.object({ text: z.string() }),
  output: z.object({ text: z.string() }),
  template: "{{text}}",
  tools: [book],
  backend: { id: "script" },
});
