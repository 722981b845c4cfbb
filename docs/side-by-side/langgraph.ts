import { Command, isInterrupted } from "@langchain/langgraph";
import { PostgresSaver } from "@langchain/langgraph-checkpoint-postgres";
import {
  createAgent,
  type HITLRequest,
  humanInTheLoopMiddleware,
  type ToolRuntime,
  tool,
} from "langchain";
import { instructions, orderNumber, payBack, payment, readOrder } from "./bank.ts";

const lookup = tool(({ order }) => readOrder(order), {
  name: "lookup",
  description: "Looks up an order",
  schema: orderNumber,
});
const pay = tool((refund, { toolCallId }: ToolRuntime) => payBack(refund, toolCallId), {
  name: "pay",
  description: "Pays a refund",
  schema: payment,
});
const approval = humanInTheLoopMiddleware({
  interruptOn: {
    pay: {
      allowedDecisions: ["approve", "reject"],
      when: ({ toolCall }) => toolCall.args["amountCents"] > 1000,
    },
  },
});
const checkpointer = PostgresSaver.fromConnString(process.env["DATABASE_URL"] ?? "");
await checkpointer.setup();
const agent = createAgent({
  model: "openai:gpt-5-mini",
  systemPrompt: instructions,
  tools: [lookup, pay],
  middleware: [approval],
  checkpointer,
});

const [order = "A-17", decision] = process.argv.slice(2);
const config = { configurable: { thread_id: order }, recursionLimit: 20 };
const started = (await agent.graph.getState(config)).createdAt !== undefined;
const approve = new Command({ resume: { decisions: [{ type: "approve" }] } });
const begin = { messages: [{ role: "user", content: `Refund the order ${order}.` }] };
const input = decision === "approve" ? approve : started ? null : begin;
const state = await agent.invoke(input, config);
if (isInterrupted<HITLRequest>(state))
  for (const { value } of state.__interrupt__)
    console.log(`waits for an approval: ${JSON.stringify(value?.actionRequests)}`);
console.log(state.messages.at(-1)?.text);
await checkpointer.end();
