/** A run that pays a little in its first turn, and asks a person before it pays much. */
import type { LocalHost } from "@turnseal/host";
import type { Model } from "@turnseal/ports";
import type { Policy } from "@turnseal/protocol";
import { defineComposite, definePrompt, defineTool } from "@turnseal/protocol/authoring";
import { z } from "zod";

const header = { version: "1.0.0" };
const order = z.object({ cents: z.number() });

const pay = defineTool({
  ...header,
  id: "pay",
  input: order,
  output: z.object({ cents: z.number() }),
  effect: "idempotent",
  build: "1",
  run: ({ cents }) => ({ cents }),
});

const choose = definePrompt({
  ...header,
  id: "choose",
  input: order,
  output: z.object({ isDue: z.boolean() }),
  template: "Are {{cents}} cents due?",
  backend: { id: "instant", model: "instant" },
});

const work = defineComposite({
  ...header,
  id: "work",
  input: order,
  output: z.object({ cents: z.number() }),
  steps: (steps) =>
    steps
      .call("chosen", choose, ({ input }) => ({ cents: input.cents }))
      .call("paid", pay, ({ input }) => ({ cents: input.cents })),
});

const instant: Model = {
  defaultModel: "instant",
  generate: async () => ({
    content: [{ kind: "text", text: '{"isDue":true}' }],
    finishReason: "stop",
    usage: { inputTokens: 10, outputTokens: 5 },
  }),
};

export const parkedLoops = { loops: [work, choose, pay], models: { instant } };

const MUCH = 5_000;
const MONTH_MS = 30 * 24 * 60 * 60 * 1000;

const policy: Policy = {
  name: "payments",
  rules: [
    {
      id: "much",
      decision: "ask",
      tools: ["local.pay"],
      when: "args.cents > 1000",
      decideWithinMs: MONTH_MS,
    },
    { id: "rest", decision: "allow" },
  ],
};

/** Starts a run that is to wait in its second turn. */
export function startParkedRun(host: LocalHost): Promise<string> {
  return host.start(
    work,
    { cents: 5 },
    {
      policy,
      grant: { grantor: "bench", tools: ["local.pay"], budget: {} },
      bounds: {
        turnsMax: 2,
        nextInput: { cents: { const: MUCH } },
        goal: { path: "$.output.cents", equals: MUCH },
      },
    },
  );
}
