import { definePrompt, defineTool } from "turnseal";
import { z } from "zod";

const payment = z.object({ order: z.string(), amountCents: z.int().positive() });

/** Changes nothing, so it may be executed again after a crash. */
export const lookup = defineTool({
  id: "lookup",
  version: "1.0.0",
  description: "Looks up an order",
  input: z.object({ order: z.string() }),
  output: payment,
  effect: "read",
  run: ({ order }) => ({ order, amountCents: 1_250 }),
});

/** Replace the body with a call of your bank: the same key must never pay twice. */
export const pay = defineTool({
  id: "pay",
  version: "1.0.0",
  description: "Pays a refund",
  input: payment,
  output: z.object({ reference: z.string() }),
  effect: "idempotent",
  run: ({ order }, { key }) => ({ reference: `${order}-${key.slice(0, 6)}` }),
});

export const refund = definePrompt({
  id: "refund",
  version: "1.0.0",
  system: "You refund orders. Look the order up, pay it back, then tell the customer.",
  input: z.object({ order: z.string() }),
  output: z.object({ text: z.string() }),
  template: "Refund the order {{order}}.",
  tools: [lookup, pay],
  backend: { id: "script" },
});
