import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { openai } from "@ai-sdk/openai";
import { isStepCount, type ModelMessage, ToolLoopAgent, tool } from "ai";
import { instructions, orderNumber, payBack, payment, readOrder } from "./bank.ts";

const agent = new ToolLoopAgent({
  model: openai("gpt-5-mini"),
  instructions,
  tools: {
    lookup: tool({
      description: "Looks up an order",
      inputSchema: orderNumber,
      execute: ({ order }) => readOrder(order),
    }),
    pay: tool({
      description: "Pays a refund",
      inputSchema: payment,
      execute: (refund, { toolCallId }) => payBack(refund, toolCallId),
    }),
  },
  toolApproval: { pay: ({ amountCents }) => (amountCents > 1000 ? "user-approval" : "approved") },
  stopWhen: isStepCount(8),
});

const [order = "A-17", decision] = process.argv.slice(2);
const file = `messages-${order}.json`;
const messages: ModelMessage[] = existsSync(file)
  ? JSON.parse(readFileSync(file, "utf8"))
  : [{ role: "user", content: `Refund the order ${order}.` }];
const save = (...more: ModelMessage[]) => {
  messages.push(...more);
  writeFileSync(file, JSON.stringify(messages));
};
if (decision === "approve") {
  const parts = messages.flatMap(({ role, content }) =>
    role === "assistant" && typeof content !== "string" ? content : [],
  );
  const content = parts
    .filter((part) => part.type === "tool-approval-request")
    .map(({ approvalId }) => ({
      type: "tool-approval-response" as const,
      approvalId,
      approved: true,
    }));
  save({ role: "tool", content });
}
const result = await agent.generate({ messages });
save(...result.responseMessages);
for (const part of result.content)
  if (part.type === "tool-approval-request")
    console.log(`${part.toolCall.toolName} waits: ${JSON.stringify(part.toolCall.input)}`);
console.log(result.text || result.finishReason);
