import { definePrompt, defineTool } from "turnseal";
import { z } from "zod";

/** Measures something; the model asks for it. */
export const measure = defineTool({
  id: "measure",
  version: "1.0.0",
  description: "Measures the water level",
  input: z.object({ attempt: z.int() }),
  output: z.object({ level: z.int() }),
  effect: "read",
  run: ({ attempt }) => ({ level: attempt * 30 }),
});

export const watch = definePrompt({
  id: "watch",
  version: "1.0.0",
  input: z.object({ attempt: z.int() }),
  output: z.object({ level: z.int(), isHigh: z.boolean() }),
  template: "Measure the level for the attempt {{attempt}} and say whether it is above 50.",
  tools: [measure],
  thread: false,
});
