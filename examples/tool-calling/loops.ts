import { defineComposite, definePrompt, defineTool } from "turnseal";
import { z } from "zod";

const stock: Readonly<Record<string, number>> = { bolt: 120, nut: 45, washer: 0 };

const order = z.object({ part: z.enum(["bolt", "nut", "washer"]), count: z.int().min(1) });

export const decide = definePrompt({
  id: "decide-order",
  version: "1.0.0",
  input: z.object({ request: z.string() }),
  output: order,
  system: "Turn the request into one order.",
  template: "{{request}}",
});

export const reserve = defineTool({
  id: "reserve-parts",
  version: "1.0.0",
  input: order,
  output: z.object({ reserved: z.int(), missing: z.int() }),
  run: ({ part, count }) => {
    const reserved = Math.min(count, stock[part] ?? 0);
    return { reserved, missing: count - reserved };
  },
});

export const explain = definePrompt({
  id: "explain-order",
  version: "1.0.0",
  input: z.object({ request: z.string(), part: z.string(), reserved: z.int(), missing: z.int() }),
  output: z.object({ text: z.string() }),
  template:
    "Request: {{request}}\nReserved {{reserved}} of {{part}}, missing {{missing}}. Answer kindly.",
});

export const orderParts = defineComposite({
  id: "order-parts",
  version: "1.0.0",
  input: z.object({ request: z.string() }),
  output: z.object({ text: z.string(), reserved: z.int() }),
  steps: (steps) =>
    steps
      .call("decision", decide, ({ input }) => ({ request: input.request }))
      .call("stock", reserve, ({ decision }) => ({
        part: decision.output.part,
        count: decision.output.count,
      }))
      .call("reply", explain, ({ input, decision, stock }) => ({
        request: input.request,
        part: decision.output.part,
        reserved: stock.output.reserved,
        missing: stock.output.missing,
      }))
      .output(({ reply, stock }) => ({
        text: reply.output.text,
        reserved: stock.output.reserved,
      })),
});
