// Flows for the tests of what is parked inside fan-outs: payments that a person approves, questions,
// signals and times, and a line outside of the run for each payment.
import { appendFileSync } from "node:fs";

const open = { version: "1.0.0", inputSchema: true, outputSchema: true };

export const pay = {
  definition: {
    ...{ ...open, id: "pay", name: "pay", kind: "tool", tool: { implementation: "local.pay" } },
    outputSchema: {
      type: "object",
      properties: { paid: { type: "string" } },
      required: ["paid"],
    },
  },
  run: ({ ledger, to }) => {
    appendFileSync(ledger, `${to}\n`);
    return { paid: to };
  },
  declared: { effect: "once" },
};

export const which = {
  definition: {
    ...{ ...open, id: "which", name: "which", kind: "tool" },
    outputSchema: {
      type: "object",
      properties: { account: { type: "string" } },
      required: ["account"],
      additionalProperties: false,
    },
    tool: { implementation: "turnseal.question", config: { to: "person", role: "support" } },
  },
};

function flow(id, node) {
  return { definition: { ...open, id, name: id, kind: "composite", composite: { flow: node } } };
}

function payTo(to) {
  return { kind: "call", loopId: "pay", inputMapping: { ledger: "$.input.ledger", to } };
}

function ask(fields = {}) {
  const question = { loopId: "which", inputMapping: { for: "$.input.label" } };
  return { kind: "wait", for: { question }, ...fields };
}

/** Longer than a machine that is busy takes to answer what is answered in time. */
const SHORT_MS = 5_000;

/** Everything that a flow can wait for, beside each other. */
export const everything = flow("everything", {
  kind: "parallel",
  concurrency: 1,
  branches: [
    payTo("literal:alpha"),
    payTo("literal:beta"),
    ask(),
    { kind: "wait", for: { signal: "paid", schema: { type: "number" } } },
    {
      ...{ kind: "wait", for: { signal: "never" } },
      ...{ withinMs: SHORT_MS, onTimeout: "continue" },
    },
    {
      kind: "sequence",
      nodes: [
        { ...ask({ withinMs: SHORT_MS }), name: "late", onError: "continue" },
        { ...payTo("literal:late"), when: "late.error.code == 'TIMEOUT'" },
      ],
    },
    { kind: "wait", for: { until: "$.input.until" } },
  ],
});

/** The first that is approved is paid. */
export const race = flow("race", {
  kind: "sequence",
  nodes: [
    {
      ...{ kind: "forEach", name: "first", items: "$.input.to", max: 5, join: "any" },
      body: payTo("$.item"),
    },
    { kind: "wait", name: "then", for: { signal: "close" } },
  ],
});

/** All of them, or nothing more after one that is rejected. */
export const every = flow("every", {
  ...{ kind: "forEach", items: "$.input.to", max: 5 },
  body: payTo("$.item"),
});

const grant = {
  ...{ grantor: "operator", tools: ["local.pay", "turnseal.question"] },
  budget: { turns: 1, toolCalls: 10 },
};
const policy = {
  name: "ask",
  rules: [
    { id: "payments", decision: "ask", tools: ["local.pay"] },
    { id: "rest", decision: "allow" },
  ],
};

export const agents = {
  everything: { loop: everything, grant, policy },
  race: { loop: race, grant, policy },
  every: { loop: every, grant, policy },
};
