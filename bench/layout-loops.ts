/** A turn with one model call and one idempotent tool, as it stands in a store. */
import type { LocalHost } from "@turnseal/host";
import type { Model } from "@turnseal/ports";
import { defineComposite, definePrompt, defineTool } from "@turnseal/protocol/authoring";
import { z } from "zod";

const header = { version: "1.0.0" };
const order = z.object({ customer: z.string() });
const paid = z.object({ paid: z.boolean(), cents: z.number() });

const pay = defineTool({
  ...header,
  id: "pay",
  input: z.object({ customer: z.string(), cents: z.number() }),
  output: paid,
  effect: "idempotent",
  build: "1",
  run: ({ cents }) => ({ paid: true, cents }),
});

const price = definePrompt({
  ...header,
  id: "price",
  input: order,
  output: z.object({ cents: z.number() }),
  template: "What does {{customer}} owe?",
  backend: { id: "instant", model: "instant" },
});

const work = defineComposite({
  ...header,
  id: "work",
  input: order,
  output: paid,
  steps: (steps) =>
    steps
      .call("priced", price, ({ input }) => ({ customer: input.customer }))
      .call("paid", pay, ({ input, priced }) => ({
        customer: input.customer,
        cents: priced.output.cents,
      })),
});

// Each turn says something new: content that was there before is not stored again.
let asked = 0;
const instant: Model = {
  defaultModel: "instant",
  generate: async () => ({
    content: [{ kind: "text", text: `{"cents":${asked++}}` }],
    finishReason: "stop",
    usage: { inputTokens: 10, outputTokens: 5 },
  }),
};

/** What a host needs to run the turn. */
export const layoutLoops = { loops: [work, price, pay], models: { instant } };

/** Starts a run that takes exactly so many turns: its goal is never reached. */
export function startLayoutRun(host: LocalHost, turnsMax: number): Promise<string> {
  return host.start(
    work,
    { customer: "Ada" },
    {
      grant: { grantor: "bench", tools: ["local.pay"], budget: {} },
      bounds: { turnsMax, goal: { path: "$.output.paid", equals: false } },
    },
  );
}
