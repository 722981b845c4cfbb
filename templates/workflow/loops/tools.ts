import { defineTool } from "turnseal";
import { z } from "zod";

/** Replace the body with a call of your own system: the same key must never publish twice. */
export const publish = defineTool({
  id: "publish",
  version: "1.0.0",
  description: "Publishes an announcement",
  // What an action is given: the first word after its verb, and the others.
  input: z.object({ target: z.string(), args: z.array(z.string()) }),
  output: z.object({ text: z.string(), link: z.string() }),
  effect: "idempotent",
  run: ({ target }, { key }) => ({
    text: target,
    link: `https://example.com/news/${key.slice(0, 6)}`,
  }),
});
