// Loops for the tests of approvals and questions: a model that asks for the payments it is given, a
// tool that leaves a line for each outside of the run, and a question to a person.
import { appendFileSync } from "node:fs";

const open = { version: "1.0.0", inputSchema: true, outputSchema: true };

const payment = {
  type: "object",
  properties: {
    ledger: { type: "string" },
    to: { type: "string" },
    cents: { type: "integer", minimum: 1 },
  },
  required: ["ledger", "to", "cents"],
  additionalProperties: false,
};

export const pay = {
  definition: {
    ...open,
    id: "pay",
    name: "pay",
    kind: "tool",
    inputSchema: payment,
    tool: { implementation: "local.pay" },
  },
  run: ({ ledger, to, cents }) => {
    appendFileSync(ledger, `${to} ${cents}\n`);
    return { paid: cents };
  },
  declared: { effect: "idempotent", undo: "void the payment" },
};

/** Needs more of a grant than its name. */
export const payScoped = {
  ...pay,
  definition: { ...pay.definition, id: "pay-scoped", tool: { implementation: "local.pay-scoped" } },
  needs: () => ({ scopes: ["payments:write"] }),
};

export const account = {
  definition: {
    ...open,
    id: "account",
    name: "account",
    kind: "tool",
    outputSchema: {
      type: "object",
      properties: { account: { type: "string" } },
      required: ["account"],
      additionalProperties: false,
    },
    tool: { implementation: "turnseal.question", config: { to: "person", role: "support" } },
  },
};

/** Hands a payment to a run of its own. */
export const delegate = {
  definition: {
    ...open,
    id: "delegate",
    name: "delegate",
    kind: "tool",
    tool: {
      implementation: "turnseal.handoff",
      config: {
        loop: "pay",
        grant: {
          tools: ["local.pay"],
          budget: { effects: 1, toolCalls: 2, turns: 1, handoffs: 0 },
        },
      },
    },
  },
};

function prompt(id, tool, backend) {
  return {
    ...open,
    id,
    name: id,
    kind: "prompt",
    prompt: { template: "{{asks}}", variables: ["asks"], tools: [{ loopId: tool }] },
    backend: { id: backend },
  };
}

export const desk = { definition: prompt("desk", "pay", "clerk") };
export const help = { definition: prompt("help", "account", "clerk") };

export const models = {
  clerk: {
    defaultModel: "clerk-1",
    generate: async ({ messages, tools = [] }) => {
      const usage = { inputTokens: 1, outputTokens: 1 };
      if (messages.some(({ role }) => role === "tool"))
        return { content: [{ kind: "text", text: "done" }], finishReason: "stop", usage };
      const asks = JSON.parse(messages.find(({ role }) => role === "user").text);
      const content = asks.map((input, index) => ({
        kind: "tool-call",
        toolCallId: `call-${index}`,
        toolName: tools[0].name,
        input: JSON.stringify(input),
      }));
      return { content, finishReason: "tool-calls", usage };
    },
  },
};
