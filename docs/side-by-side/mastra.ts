import { Agent } from "@mastra/core/agent";
import { Mastra } from "@mastra/core/mastra";
import { createTool } from "@mastra/core/tools";
import { LibSQLStore } from "@mastra/libsql";
import { instructions, orderNumber, paid, payBack, payment, readOrder } from "./bank.ts";

const lookup = createTool({
  id: "lookup",
  description: "Looks up an order",
  inputSchema: orderNumber,
  outputSchema: payment,
  execute: ({ order }) => readOrder(order),
});
const pay = createTool({
  id: "pay",
  description: "Pays a refund",
  inputSchema: payment,
  outputSchema: paid,
  requireApproval: ({ amountCents }) => amountCents > 1000,
  execute: (refund, { agent }) => payBack(refund, agent?.toolCallId ?? ""),
});
const refund = new Agent({
  id: "refund",
  name: "refund",
  instructions,
  model: "openai/gpt-5-mini",
  tools: { lookup, pay },
});
new Mastra({
  agents: { refund },
  storage: new LibSQLStore({ id: "runs", url: "file:mastra.db" }),
});

const [order = "A-17", decision] = process.argv.slice(2);
const result =
  decision === "approve"
    ? await refund.approveToolCallGenerate({ runId: order })
    : await refund.generate(`Refund the order ${order}.`, { runId: order, maxSteps: 8 });
if (result.finishReason === "suspended")
  console.log(`waits for an approval: ${JSON.stringify(result.suspendPayload)}`);
console.log(result.text || result.finishReason);
