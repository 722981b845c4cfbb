import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { definePrompt, defineTool } from "turnseal";
import { z } from "zod";
import { backend } from "./model.ts";

const payment = z.object({ order: z.string(), amountCents: z.int().positive() });

/** Stands for your bank: each line is money that moved. A line that is there is not added again. */
function ledger(line: string): void {
  const lines = existsSync("ledger.txt") ? readFileSync("ledger.txt", "utf8").split("\n") : [];
  if (!lines.includes(line)) appendFileSync("ledger.txt", `${line}\n`);
}

export const lookup = defineTool({
  id: "lookup",
  version: "1.0.0",
  description: "Looks up an order",
  input: z.object({ order: z.string() }),
  output: payment,
  effect: "read",
  // The same amount each time: the digits of the order, in units of 75 cents.
  run: ({ order }) => ({ order, amountCents: 75 * (Number(order.replace(/\D/g, "")) || 1) }),
});

/** Replace the bodies with calls of your bank: the same key must never pay twice. */
export const pay = defineTool({
  id: "pay",
  version: "1.0.0",
  description: "Pays a refund",
  input: payment,
  output: z.object({ reference: z.string(), amountCents: z.int() }),
  effect: "idempotent",
  // Counts against the budget of the grant, which has 200.00.
  needs: ({ amountCents }) => ({ amounts: { "shop.cents": amountCents } }),
  run: ({ order, amountCents }, { key }) => {
    const reference = `${order}-${key.slice(0, 6)}`;
    ledger(`${reference} paid ${amountCents}`);
    return { reference, amountCents };
  },
  compensate: {
    effect: "idempotent",
    withinMs: 24 * 60 * 60 * 1000,
    run: ({ reference, amountCents }) => ledger(`${reference} taken back ${amountCents}`),
  },
});

export const refund = definePrompt({
  id: "refund",
  version: "1.0.0",
  system:
    "You refund orders. Look the order up, pay it back, then tell the customer in one sentence.",
  input: z.object({ order: z.string() }),
  output: z.object({ text: z.string() }),
  template: "Refund the order {{order}}.",
  tools: [lookup, pay],
  backend,
});
