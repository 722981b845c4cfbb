import { setTimeout as sleep } from "node:timers/promises";
import {
  definePrompt,
  defineTool,
  type Model,
  type Policy,
  type ScriptedReply,
  scriptedModel,
} from "turnseal";
import { z } from "zod";

export const lookup = defineTool({
  id: "lookup",
  version: "1.0.0",
  description: "Looks an order up",
  input: z.object({ order: z.string() }),
  output: z.object({ order: z.string(), cents: z.int(), place: z.string() }),
  effect: "read",
  run: async ({ order }, { onToolOutputDelta }) => {
    for (const shelf of ["Rotterdam", "Vienna", "Graz"]) {
      onToolOutputDelta(`asking ${shelf}\n`);
      await sleep(PACE_MS * 4);
    }
    return { order, cents: 4200, place: "Graz" };
  },
});

export const refund = defineTool({
  id: "refund",
  version: "1.0.0",
  description: "Pays an order back",
  input: z.object({ order: z.string(), cents: z.int().positive() }),
  output: z.object({ reference: z.string() }),
  effect: "idempotent",
  run: ({ order }) => ({ reference: `R-${order}` }),
});

export const support = definePrompt({
  id: "support",
  version: "1.0.0",
  input: z.object({ text: z.string() }),
  output: z.object({ text: z.string() }),
  system: "You help customers of a shop. Look orders up, and pay them back when that is wanted.",
  template: "{{text}}",
  backend: { id: "clerk" },
  tools: [lookup, refund],
});

/** Milliseconds between two words. */
const PACE_MS = Number(process.env["CHAT_PACE_MS"] ?? 60);

/** A model that needs no key: it goes by the last message, and speaks as fast as people read. */
const clerk: Model = {
  defaultModel: "clerk-1",
  generate: (request) => {
    const said = request.messages.findLast(({ role }) => role === "user");
    const wish = said?.role === "user" ? said.text : "";
    const results = request.messages.filter(({ role }) => role === "tool").length;
    return scriptedModel([answerTo(wish, results)]).generate(request);
  },
};

function answerTo(wish: string, results: number): ScriptedReply {
  const order = /[A-Z]-\d+/.exec(wish)?.[0];
  const isRefund = /refund|money/i.test(wish);
  if (order !== undefined && results === 0)
    return { toolCalls: [{ tool: "local__lookup", input: { order } }] };
  if (order !== undefined && isRefund && results === 1)
    return { toolCalls: [{ tool: "local__refund", input: { order, cents: 4200 } }] };
  if (order !== undefined && isRefund)
    return { pieces: speak(`Order ${order} is paid back: 42.00 are on their way to you.`) };
  if (order !== undefined)
    return { pieces: speak(`Order ${order} is in Graz, and will be with you tomorrow.`) };
  return { pieces: speak(WELCOME) };
}

const WELCOME = [
  "Hello! I can tell you where an order is, and pay one back.",
  "Ask me for instance where A-17 is, or say that you want your money back for it.",
  "I look things up by myself; before I pay anything back, somebody here has to allow it.",
  "You can reload this page whenever you like, also while I am still talking:",
  "what I have said so far is there again at once, and I go on from the word where I was.",
].join(" ");

async function* speak(text: string): AsyncGenerator<string> {
  for (const word of text.split(/(?<= )/)) {
    await sleep(PACE_MS);
    yield word;
  }
}

export const models = { clerk };

const policy: Policy = {
  name: "support",
  rules: [
    { id: "look", decision: "allow", tools: ["local.lookup"] },
    { id: "pay", decision: "ask", tools: ["local.refund"] },
  ],
};

/** What a client can start. It brings an input; what the agent may do is said here. */
export const agents = {
  support: {
    loop: support,
    policy,
    grant: {
      grantor: "shop",
      tools: ["local.lookup", "local.refund"],
      budget: { turns: 50, toolCalls: 100 },
    },
    // Each message of the customer is a turn; in between the run waits, and costs nothing.
    bounds: { awaits: ["message"], nextInput: { text: "$.signals.message.text" }, turnsMax: 50 },
  },
};
