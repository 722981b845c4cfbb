// Loops for the tests of runs: a model that asks for one payment, and tools that leave a line
// outside of the run for each.
import { appendFileSync, existsSync, readFileSync } from "node:fs";
import { setTimeout as wait } from "node:timers/promises";

const open = { version: "1.0.0", inputSchema: true, outputSchema: true };

async function pay({ ledger, actMs }, { key, signal }) {
  appendFileSync(ledger, `${key}\n`);
  await wait(actMs, undefined, { signal });
  return { reference: key };
}

function tool(id, timeoutMs) {
  const implementation = `local.${id}`;
  return { ...open, id, name: id, kind: "tool", tool: { implementation }, policy: { timeoutMs } };
}

function prompt(id, tools) {
  return {
    ...open,
    id,
    name: id,
    kind: "prompt",
    prompt: { template: "Pay {{payment}}", variables: ["payment"], tools },
    backend: { id: "till" },
  };
}

/** Must not act twice: after a crash a person decides. */
export const payOnce = {
  definition: tool("pay-once", 1_000),
  run: pay,
  declared: { effect: "once" },
};

/** Acts once for each key. */
export const payByKey = {
  definition: tool("pay-by-key", 20_000),
  run: (input, context) => {
    const isPaid =
      existsSync(input.ledger) && readFileSync(input.ledger, "utf8").includes(context.key);
    return isPaid ? { reference: context.key } : pay(input, context);
  },
  declared: { effect: "idempotent" },
};

/** Pays, and leaves a promise to itself that fails. */
export const payAstray = {
  definition: tool("pay-astray", 20_000),
  run: (input, context) => {
    void wait(10).then(() => {
      throw new Error("CANARY-CONTENT");
    });
    return pay(input, context);
  },
  declared: { effect: "idempotent" },
};

/** Tells what the signing variables are in a process that it starts. */
export const peek = {
  definition: tool("peek", 20_000),
  run: async () => {
    const { execFileSync } = await import("node:child_process");
    const script =
      "console.log(Object.keys(process.env).filter((name) => name.includes('SIGN')).join())";
    return { names: execFileSync(process.execPath, ["-e", script], { encoding: "utf8" }).trim() };
  },
  declared: { effect: "read" },
};

export const refund = { definition: prompt("refund", [{ loopId: "pay-once" }]) };
export const refundByKey = { definition: prompt("refund-by-key", [{ loopId: "pay-by-key" }]) };

/** Sixty payments, one after the other. */
export const payOften = {
  definition: {
    ...open,
    id: "pay-often",
    name: "pay-often",
    kind: "composite",
    composite: {
      steps: Array.from({ length: 60 }, () => ({
        loopId: "pay-once",
        inputMapping: { ledger: "$.input.payment.ledger", actMs: "$.input.payment.actMs" },
      })),
    },
  },
};

/** Counts its turns, so that a goal is reached after some of them. */
export const count = {
  definition: {
    ...open,
    id: "count",
    name: "count",
    kind: "prompt",
    backend: { id: "counter" },
    prompt: { template: "Count", variables: [] },
  },
};

function answer(content, finishReason) {
  return { content, finishReason, usage: { inputTokens: 7, outputTokens: 3 } };
}

let counted = 0;

export const models = {
  // It decides by the conversation alone, so it says the same after a crash.
  till: {
    defaultModel: "till-1",
    generate: async ({ messages, tools = [] }) => {
      if (messages.some(({ role }) => role === "tool"))
        return answer([{ kind: "text", text: "secret words" }], "stop");
      const { text } = messages.find(({ role }) => role === "user");
      const input = text.slice("Pay ".length);
      const call = { kind: "tool-call", toolCallId: "1", toolName: tools[0].name, input };
      return answer([call], "tool-calls");
    },
  },
  counter: {
    defaultModel: "counter-1",
    generate: async () => {
      counted += 1;
      const text = JSON.stringify({ count: counted });
      return answer([{ kind: "text", text }], "stop");
    },
  },
};
