/**
 * A payment-like run: look the order up, then let a model decide to pay it. Two turns, an order
 * each.
 */
import type { Model } from "@turnseal/ports";
import type { Effect, LoopDef } from "@turnseal/protocol";
import type { Loop } from "@turnseal/protocol/authoring";
import { QUESTION_TOKENS } from "./ledger.ts";
import { createPayTool, type OrderInput, orderHeader, type Post, sameOrder } from "./pay-tool.ts";

export const PAY_TIMEOUT_MS = 400;

/** The ledger's name of an order of a run: the words in which the model is asked about it. */
export function orderName({ label, order }: OrderInput): string {
  return `Pay order ${order} of ${label}.`;
}
const orderPattern = /^Pay order (\d+) of (.+)\.$/;

const refund: LoopDef = {
  ...orderHeader,
  id: "refund",
  name: "refund",
  kind: "composite",
  composite: {
    steps: [
      { loopId: "look", inputMapping: sameOrder },
      { loopId: "clerk", inputMapping: sameOrder },
    ],
  },
};
const look: LoopDef = {
  ...orderHeader,
  id: "look",
  name: "look",
  kind: "tool",
  tool: { implementation: "local.look" },
};
const clerk: LoopDef = {
  ...orderHeader,
  id: "clerk",
  name: "clerk",
  kind: "prompt",
  backend: { id: "outside" },
  prompt: {
    template: "Pay order {{order}} of {{label}}.",
    variables: ["order", "label"],
    tools: [{ loopId: "pay" }],
  },
};

export const paymentLoop: Loop<OrderInput> = { definition: refund };

/** Every loop of the run, with a payment of the given declaration. */
export function createPaymentLoops(effect: Effect, post: Post): Loop<never, unknown>[] {
  return [
    paymentLoop,
    { definition: clerk },
    {
      definition: look,
      run: () => ({ isKnown: true }),
      declared: { effect: "read", build: "1" },
    },
    createPayTool({
      ...{ id: "pay", implementation: "local.pay", timeoutMs: PAY_TIMEOUT_MS },
      ...{ effect, build: "1", post, nameOrder: orderName },
    }),
  ];
}

/** Asks for the payment first, and says which order it was about once it has a result. */
export function createPaymentModel(post: Post): Model {
  return {
    defaultModel: "outside",
    generate: async ({ messages, signal }) => {
      const asked = messages.find(({ role }) => role === "user");
      const text = asked?.role === "user" ? asked.text : "";
      const round = messages.filter(({ role }) => role === "assistant").length;
      await post("/ask", { text, round }, signal);
      const [, order, label] = orderPattern.exec(text) ?? [];
      const input = JSON.stringify({ label, order: Number(order) });
      return {
        content:
          round === 0
            ? [{ kind: "tool-call", toolCallId: "pay-0", toolName: "local__pay", input }]
            : [{ kind: "text", text: input }],
        finishReason: round === 0 ? "tool-calls" : "stop",
        usage: QUESTION_TOKENS,
      };
    },
  };
}
