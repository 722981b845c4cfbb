/**
 * A tool that pays, with any declaration. The payment happens outside, where it is counted, in a
 * process that is never killed.
 */
import type { Effect, JsonObject, JsonValue, LoopDef } from "@turnseal/protocol";
import { type Loop, notDone, type Reconciliation } from "@turnseal/protocol/authoring";

export interface OrderInput {
  /** Names the run for the ledger. */
  readonly label: string;
  readonly order: number;
}

/** The header of every loop about an order. */
export const orderHeader = {
  version: "1.0.0",
  inputSchema: {
    type: "object",
    properties: { label: { type: "string" }, order: { type: "integer" } },
    required: ["label", "order"],
  },
  outputSchema: { type: "object" },
} as const;

/** The mapping that gives a step its composite's order. */
export const sameOrder = { label: "$.input.label", order: "$.input.order" };

/** Sends a request to the outside world and waits for the answer. */
export type Post = (path: string, body: JsonObject, signal?: AbortSignal) => Promise<JsonObject>;

export interface PayToolOptions {
  readonly id: string;
  /** Under which name it is granted. */
  readonly implementation: string;
  readonly timeoutMs: number;
  readonly effect: Effect;
  /** What it says of its own code. */
  readonly build: string;
  readonly post: Post;
  /** What the ledger calls an order. */
  readonly nameOrder: (input: OrderInput) => string;
}

export function createPayTool(options: PayToolOptions): Loop<never, unknown> {
  const { id, implementation, timeoutMs, effect, build, post, nameOrder } = options;
  const definition: LoopDef = {
    ...orderHeader,
    id,
    name: id,
    kind: "tool",
    tool: { implementation },
    policy: { timeoutMs },
  };
  return {
    definition,
    // It ignores its signal: a runtime that relies on the abort alone fails here.
    run: async (input: OrderInput, { key, epoch }): Promise<JsonValue> => {
      const { answer } = await post("/pay", { order: nameOrder(input), key, epoch, effect });
      if (answer === "refused") throw notDone("the key is refused");
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
