/**
 * Runs of several turns; each asks a model once and pays once. There is one kind of run for each
 * declaration that a paying tool can make.
 */
import type { Model } from "@turnseal/ports";
import type { JsonObject, LoopDef } from "@turnseal/protocol";
import type { Loop } from "@turnseal/protocol/authoring";
import {
  createPayTool,
  type OrderInput,
  orderHeader,
  type Post,
  sameOrder,
} from "../crash/pay-tool.ts";

/** What the paying tools declare. */
export const PAY_EFFECTS = ["idempotent", "reconcile", "once"] as const;
export type PayEffect = (typeof PAY_EFFECTS)[number];

export const PAY_TIMEOUT_MS = 3_000;

/** What the ledger calls an order of a run. */
export function nameOrder({ label, order }: OrderInput): string {
  return `${label}/${order}`;
}

const choose: LoopDef = {
  ...orderHeader,
  id: "choose",
  name: "choose",
  kind: "prompt",
  backend: { id: "instant" },
  prompt: {
    template: "Is order {{order}} of {{label}} to be paid?",
    variables: ["order", "label"],
  },
};

/** The loop that a run of that declaration takes its turns with. */
export function workLoop(effect: PayEffect): Loop<OrderInput> {
  const steps = ["choose", `pay-${effect}`].map((loopId) => ({ loopId, inputMapping: sameOrder }));
  const id = `work-${effect}`;
  return { definition: { ...orderHeader, id, name: id, kind: "composite", composite: { steps } } };
}

/** Under which name the tool of that declaration is granted. */
export function payTool(effect: PayEffect): string {
  return `local.pay_${effect}`;
}

export interface PaymentOptions {
  readonly post: Post;
  /** What the tools say of their own code. */
  readonly build: string;
}

export function createTurnLoops(options: PaymentOptions): Loop<never, unknown>[] {
  return [
    { definition: choose },
    ...PAY_EFFECTS.map(workLoop),
    ...PAY_EFFECTS.map((effect) =>
      createPayTool({
        ...{ id: `pay-${effect}`, implementation: payTool(effect), timeoutMs: PAY_TIMEOUT_MS },
        ...{ effect, nameOrder, ...options },
      }),
    ),
  ];
}

/** Reaches the outside world over the network. */
export function createPost(url: string): Post {
  return async (path, body) => {
    try {
      const request = { method: "POST", body: JSON.stringify(body) };
      return (await (await fetch(`${url}${path}`, request)).json()) as JsonObject;
    } catch (error) {
      throw new Error(`nobody knows whether ${path} arrived`, { cause: error });
    }
  };
}

export const instantModel: Model = {
  defaultModel: "instant",
  generate: async () => ({
    content: [{ kind: "text", text: '{"isToBePaid":true}' }],
    finishReason: "stop",
    usage: { inputTokens: 10, outputTokens: 5 },
  }),
};
