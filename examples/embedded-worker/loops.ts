import { defineTool } from "turnseal";
import { z } from "zod";

export const greet = defineTool({
  id: "greet",
  version: "1.0.0",
  input: z.object({ name: z.string() }),
  output: z.object({ text: z.string() }),
  effect: "read",
  run: ({ name }) => ({ text: `Hello, ${name}.` }),
});
