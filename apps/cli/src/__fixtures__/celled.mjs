// Agents for the tests of cells: a chat, and a payment that a person has to approve.
export { chat } from "./served.mjs";

import { agents as served } from "./served.mjs";

export const payOut = {
  definition: {
    ...{ id: "pay-out", name: "pay-out", version: "1.0.0", kind: "tool" },
    ...{ inputSchema: { type: "object" }, outputSchema: true },
    tool: { implementation: "local.pay-out" },
  },
  run: async ({ order }) => ({ paid: order }),
  declared: { effect: "idempotent" },
};

export const agents = {
  ...served,
  payer: {
    loop: payOut,
    grant: { grantor: "operator", tools: ["local.pay-out"], budget: { turns: 3 } },
    policy: {
      name: "payments",
      rules: [{ id: "pay", decision: "ask", tools: ["local.pay-out"] }],
    },
  },
};
