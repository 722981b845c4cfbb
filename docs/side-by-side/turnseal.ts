import { definePrompt, defineTool, turnseal } from "turnseal";
import { z } from "zod";
import { instructions, orderNumber, paid, payBack, payment, readOrder } from "./bank.ts";

const lookup = defineTool({
  id: "lookup",
  description: "Looks up an order",
  input: orderNumber,
  output: payment,
  effect: "read",
  run: ({ order }) => readOrder(order),
});
const pay = defineTool({
  id: "pay",
  description: "Pays a refund",
  input: payment,
  output: paid,
  effect: "once",
  policy: { timeoutMs: 2_000 },
  run: (refund, { key }) => payBack(refund, key),
});
const refund = definePrompt({
  id: "refund",
  system: instructions,
  input: orderNumber,
  output: z.object({ text: z.string() }),
  template: "Refund the order {{order}}.",
  tools: [lookup, pay],
  backend: { id: "openai" },
});
const policy = {
  name: "refunds",
  rules: [
    { id: "small", decision: "allow", tools: ["local.pay"] },
    { id: "large", decision: "ask", tools: ["local.pay"], when: "args.amountCents > 1000" },
  ],
} as const;
const grant = { tools: "its tools", budget: { modelCalls: 8 } } as const;

const [order = "A-17", decision] = process.argv.slice(2);
const host = await turnseal();
let outcome = await host.run(refund, { order }, { key: order, grant, policy });
if (decision === "approve") {
  for (const { id } of outcome.requests.filter(({ kind }) => kind === "approval"))
    await host.decide(outcome.run, id, { choice: "approve", by: { id: "ada", roles: [] } });
  outcome = await host.resume(refund, outcome.run);
}
for (const { name, request } of outcome.requests.filter(({ kind }) => kind === "approval"))
  console.log(`${name} waits for an approval: ${JSON.stringify(request)}`);
console.log(outcome.output?.text ?? outcome.status);
