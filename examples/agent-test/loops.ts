import { definePrompt, defineTool } from "turnseal";
import { z } from "zod";

export const refund = defineTool({
  id: "refund",
  version: "1.0.0",
  description: "Pays an order back",
  input: z.object({ order: z.string(), cents: z.int() }),
  output: z.object({ reference: z.string() }),
  effect: "idempotent",
  run: ({ order }) => ({ reference: `paid ${order}` }),
});

export const desk = definePrompt({
  id: "desk",
  version: "1.0.0",
  input: z.object({ order: z.string() }),
  output: z.object({ text: z.string() }),
  template: "Refund the order {{order}}.",
  tools: [refund],
});
