import { definePrompt, defineTool, type Model, type ScriptedReply, scriptedModel } from "turnseal";
import { z } from "zod";
import { isPaid, pay } from "./ledger.ts";

const payment = z.object({ order: z.string(), amountCents: z.int().positive() });
const paid = z.object({ reference: z.string() });

/** Changes nothing, so it may simply be done again. */
export const lookup = defineTool({
  id: "lookup",
  version: "1.0.0",
  description: "Looks up an order",
  input: z.object({ order: z.string() }),
  output: payment,
  effect: "read",
  run: ({ order }) => ({ order, amountCents: 1_250 }),
});

/**
 * Cannot be asked what became of a payment, and must not pay twice: after a crash a person decides.
 */
export const payOnce = defineTool({
  id: "pay-once",
  version: "1.0.0",
  description: "Pays a refund",
  input: payment,
  output: paid,
  effect: "once",
  undo: "the bank takes a payment back until midnight",
  policy: { timeoutMs: 8_000 },
  run: async (input, { key }) => ({ reference: await pay(input, key) }),
});

/** Acts once for each key, so after a crash it is simply called again. */
export const payByKey = defineTool({
  id: "pay-by-key",
  version: "1.0.0",
  description: "Pays a refund",
  input: payment,
  output: paid,
  effect: "idempotent",
  policy: { timeoutMs: 8_000 },
  run: async (input, { key }) => ({
    reference: isPaid(key) ? `paid-${key.slice(0, 8)}` : await pay(input, key),
  }),
});

const agent = {
  version: "1.0.0",
  input: z.object({ order: z.string() }),
  output: z.object({ text: z.string() }),
  system: "You refund orders. Look the order up, pay it back, then tell the customer.",
  template: "Refund the order {{order}}.",
  backend: { id: "clerk" },
} as const;

export const refund = definePrompt({ ...agent, id: "refund", tools: [lookup, payOnce] });
export const refundByKey = definePrompt({
  ...agent,
  id: "refund-by-key",
  tools: [lookup, payByKey],
});

/**
 * A model that needs no key: it decides by the conversation alone, so it says the same after a
 * crash.
 */
const clerk: Model = {
  defaultModel: "clerk-1",
  generate: (request) => {
    // What was said and done in earlier turns stands before the last words of the user.
    const asked = request.messages.findLastIndex(({ role }) => role === "user");
    const results = request.messages
      .slice(asked)
      .flatMap((message) => (message.role === "tool" ? [message.result] : []));
    const tool = request.tools?.find(({ name }) => name.includes("pay"))?.name ?? "";
    const order = request.messages[asked];
    const number = /order (\S+)\./.exec(order?.role === "user" ? order.text : "")?.[1] ?? "";
    const replies: ScriptedReply[] = [
      { toolCalls: [{ tool: "local__lookup", input: { order: number } }] },
      { toolCalls: [{ tool, input: results[0] }] },
      `Order ${number} is refunded.`,
    ];
    return scriptedModel(replies.slice(results.length)).generate(request);
  },
};

/** Bound by `turnseal run` to the backends that the prompts name. */
export const models = { clerk };
