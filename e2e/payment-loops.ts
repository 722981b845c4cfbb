/** Loops that pay, with the effects counted in a table that the runtime knows nothing of. */
import type { FlowNode, JsonValue, Mapping } from "@turnseal/protocol";
import {
  definePrompt,
  defineTool,
  jsonSchema,
  type Loop,
  type ToolContext,
} from "@turnseal/protocol/authoring";

export interface Payment {
  readonly order: string;
  readonly cents: number;
}

export type Pay = (payment: Payment, context: ToolContext) => Promise<JsonValue> | JsonValue;

const payment = jsonSchema<Payment>({
  type: "object",
  properties: { order: { type: "string" }, cents: { type: "integer", minimum: 0 } },
  required: ["order", "cents"],
  additionalProperties: false,
});
const anything = jsonSchema<JsonValue>(true);

export interface PaymentLoops {
  /** Pays: one turn, one tool. */
  readonly pay: Loop<Payment, JsonValue>;
  /** Asks a model, which asks to pay. */
  readonly agent: Loop<Payment, JsonValue>;
  /** Hands the payment to a run of its own. */
  readonly delegate: Loop<Payment, JsonValue>;
  /** Hands it to two runs at once, the first with so much that somebody is asked. */
  readonly race: Loop<Payment, JsonValue>;
  readonly all: readonly Loop<never, unknown>[];
}

const delegateWith = (cents: Mapping[string]): FlowNode => ({
  ...{ kind: "call", loopId: "delegate" },
  inputMapping: { order: "$.input.order", cents },
});

export function createPaymentLoops(doPay: Pay): PaymentLoops {
  const pay = defineTool({
    ...{ id: "pay", version: "1.0.0", effect: "idempotent", build: "1" },
    input: payment,
    output: anything,
    policy: { timeoutMs: 20_000 },
    run: doPay,
  });
  const agent = definePrompt({
    ...{ id: "agent", version: "1.0.0", tools: [pay] },
    input: payment,
    output: anything,
    template: "Pay {{cents}} for {{order}}",
  });
  const delegate = defineTool({
    ...{ id: "delegate", version: "1.0.0", implementation: "turnseal.handoff" },
    config: { loop: "pay", grant: { tools: ["local.pay"], budget: { effects: 1 } } },
    input: payment,
    output: anything,
    run: () => null,
  });
  const race: Loop<Payment, JsonValue> = {
    definition: {
      ...{ id: "race", name: "race", version: "1.0.0", inputSchema: true, outputSchema: true },
      kind: "composite",
      composite: {
        flow: {
          kind: "parallel",
          join: "any",
          branches: [delegateWith({ const: 5_000 }), delegateWith("$.input.cents")],
        },
      },
    },
    uses: [delegate],
  };
  return { pay, agent, delegate, race, all: [pay, agent, delegate, race] };
}
