/**
 * A payment-like run: look the order up, then let a model decide to pay it. Two turns, an order
 * each.
 */
import type { Model } from "@turnseal/ports";
import type {
  Effect,
  JsonObject,
  JsonValue,
  Loop,
  LoopDef,
  Reconciliation,
} from "@turnseal/protocol";
import { QUESTION_TOKENS } from "./ledger.ts";

export const PAY_TIMEOUT_MS = 400;

export interface PaymentInput {
  /** Names the run for the ledger. */
  readonly label: string;
  readonly order: number;
}

/** What the ledger calls an order of a run: the words in which the model is asked about it. */
export function orderName({ label, order }: PaymentInput): string {
  return `Pay order ${order} of ${label}.`;
}
const orderPattern = /^Pay order (\d+) of (.+)\.$/;

/** Sends a request to the outside world and waits for the answer. */
export type Post = (path: string, body: JsonObject, signal?: AbortSignal) => Promise<JsonObject>;

const header = {
  version: "1.0.0",
  inputSchema: {
    type: "object",
    properties: { label: { type: "string" }, order: { type: "integer" } },
    required: ["label", "order"],
  },
  outputSchema: { type: "object" },
} as const;
const sameInput = { label: "$.input.label", order: "$.input.order" };

const refund: LoopDef = {
  ...header,
  id: "refund",
  name: "refund",
  kind: "composite",
  composite: {
    steps: [
      { loopId: "look", inputMapping: sameInput },
      { loopId: "clerk", inputMapping: sameInput },
    ],
  },
};
const look: LoopDef = {
  ...header,
  id: "look",
  name: "look",
  kind: "tool",
  tool: { implementation: "local.look" },
};
const clerk: LoopDef = {
  ...header,
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
const pay: LoopDef = {
  ...header,
  id: "pay",
  name: "pay",
  kind: "tool",
  tool: { implementation: "local.pay" },
  policy: { timeoutMs: PAY_TIMEOUT_MS },
};

export const paymentLoop: Loop<PaymentInput> = { definition: refund };

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
    {
      definition: pay,
      // It does not listen to its signal: whoever trusts the abort alone is found out.
      run: async (input: PaymentInput, { key, epoch }): Promise<JsonValue> => {
        const payment = { order: orderName(input), key, epoch, effect };
        const { answer } = await post("/pay", payment);
        if (answer === "refused") throw new Error("the key is refused");
        return { isPaid: true };
      },
      declared: {
        effect,
        build: "1",
        reconcile: async (key, { epoch }) =>
          (await post("/reconcile", { key, epoch })) as unknown as Reconciliation,
      },
    },
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
