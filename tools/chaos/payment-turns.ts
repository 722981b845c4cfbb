/**
 * Runs of several turns, each of which asks a model once and pays once. There is one kind of run
 * for each declaration that a paying tool can make.
 */
import type { Model } from "@turnseal/ports";
import {
  type JsonObject,
  type JsonValue,
  type Loop,
  type LoopDef,
  type Reconciliation,
  ToolError,
} from "@turnseal/protocol";

/** What the paying tools declare. */
export const PAY_EFFECTS = ["idempotent", "reconcile", "once"] as const;
export type PayEffect = (typeof PAY_EFFECTS)[number];

export const PAY_TIMEOUT_MS = 3_000;

export interface OrderInput {
  /** Names the run for the ledger. */
  readonly label: string;
  readonly order: number;
}

/** What the ledger calls an order of a run. */
export function nameOrder({ label, order }: OrderInput): string {
  return `${label}/${order}`;
}

const schemas = {
  version: "1.0.0",
  inputSchema: {
    type: "object",
    properties: { label: { type: "string" }, order: { type: "integer" } },
    required: ["label", "order"],
  },
  outputSchema: { type: "object" },
} as const;
const sameInput = { label: "$.input.label", order: "$.input.order" };

const choose: LoopDef = {
  ...schemas,
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
  const steps = ["choose", `pay-${effect}`].map((loopId) => ({ loopId, inputMapping: sameInput }));
  const id = `work-${effect}`;
  return { definition: { ...schemas, id, name: id, kind: "composite", composite: { steps } } };
}

/** Under which name the tool of that declaration is granted. */
export function payTool(effect: PayEffect): string {
  return `local.pay_${effect}`;
}

function payLoop(effect: PayEffect, { post, build }: PaymentOptions): Loop<never, unknown> {
  const id = `pay-${effect}`;
  return {
    definition: {
      ...schemas,
      id,
      name: id,
      kind: "tool",
      tool: { implementation: payTool(effect) },
      policy: { timeoutMs: PAY_TIMEOUT_MS },
    },
    run: async (input: OrderInput, { key, epoch }): Promise<JsonValue> => {
      const { answer } = await post("/pay", { order: nameOrder(input), key, epoch, effect });
      if (answer === "refused") throw new Error("the key is refused");
      return { isPaid: true };
    },
    declared: {
      effect,
      build,
      reconcile: async (key, { epoch }) =>
        (await post("/reconcile", { key, epoch })) as unknown as Reconciliation,
    },
  };
}

/** Sends a request to the outside world and waits for the answer. */
export type Post = (path: string, body: JsonObject) => Promise<JsonObject>;

export interface PaymentOptions {
  readonly post: Post;
  /** What the tools say of their own code. */
  readonly build: string;
}

export function createTurnLoops(options: PaymentOptions): Loop<never, unknown>[] {
  return [
    { definition: choose },
    ...PAY_EFFECTS.map(workLoop),
    ...PAY_EFFECTS.map((effect) => payLoop(effect, options)),
  ];
}

/** Reaches the outside world over the network. */
export function createPost(url: string): Post {
  return async (path, body) => {
    try {
      const request = { method: "POST", body: JSON.stringify(body) };
      return (await (await fetch(`${url}${path}`, request)).json()) as JsonObject;
    } catch (error) {
      throw new ToolError("TOOL_UNSURE", `nobody knows whether ${path} arrived: ${String(error)}`);
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
