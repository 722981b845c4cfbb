import { setTimeout as sleep } from "node:timers/promises";
import {
  definePrompt,
  defineTool,
  type Model,
  type ModelMessage,
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

const file = z.strictObject({
  file: z.string(),
  mediaType: z.string(),
  bytes: z.int(),
  name: z.string().optional(),
});

const clerkPrompt = {
  version: "1.0.0",
  input: z.object({ text: z.string(), files: z.array(file).optional() }),
  output: z.object({ text: z.string() }),
  system: "You help customers of a shop. Look orders up, and pay them back when that is wanted.",
  template: "{{text}}",
  // The model is shown them with the words.
  files: ["/files"],
  backend: { id: "clerk" },
  tools: [lookup, refund],
} as const;

/** Is shown the whole conversation with each message, as every root prompt of a run is. */
export const support = definePrompt({ id: "support", ...clerkPrompt });

/** The same without memory: with each message it begins anew. */
export const forgetful = definePrompt({ id: "forgetful", ...clerkPrompt, thread: false });

/** Milliseconds between two words. */
const PACE_MS = Number(process.env["CHAT_PACE_MS"] ?? 60);

/**
 * A model that needs no key. It keeps nothing from one request to the next: what it knows of a
 * conversation is what it is sent.
 */
const clerk: Model = {
  defaultModel: "clerk-1",
  generate: (request) => scriptedModel([answerTo(request.messages)]).generate(request),
};

function answerTo(messages: readonly ModelMessage[]): ScriptedReply {
  const asked = messages.findLastIndex(({ role }) => role === "user");
  const wish = textOf(messages[asked]);
  const seen = describeFiles(messages[asked]);
  if (seen !== undefined) return { pieces: speak(seen) };
  const order = findOrder(messages.slice(0, asked + 1), wish);
  if (order === undefined) return { pieces: speak(POINTING.test(wish) ? UNSURE : WELCOME) };
  const results = messages.slice(asked).filter((message) => message.role === "tool");
  const isRefund = /refund|money/i.test(wish);
  if (results.length === 0) return { toolCalls: [{ tool: "local__lookup", input: { order } }] };
  if (isRefund && results.length === 1)
    return { toolCalls: [{ tool: "local__refund", input: { order, cents: 4200 } }] };
  if (isRefund && !isPaid(results.at(-1)?.result))
    return { pieces: speak(`I may not pay order ${order} back: somebody here has said no.`) };
  if (isRefund)
    return { pieces: speak(`Order ${order} is paid back: 42.00 are on their way to you.`) };
  return { pieces: speak(`Order ${order} is in Graz, and will be with you tomorrow.`) };
}

/** A refund that was not made has no reference. */
function isPaid(result: unknown): boolean {
  return "reference" in Object(result);
}

/** What a message came with, where it came with anything. */
function describeFiles(message: ModelMessage | undefined): string | undefined {
  const files = message?.role === "user" ? (message.files ?? []) : [];
  if (files.length === 0) return undefined;
  const names = files.map(({ name, mediaType }) => name ?? mediaType);
  return `Thank you, I have got ${names.join(" and ")}.`;
}

/** Words that name an order only to somebody who remembers what was said before. */
const POINTING = /\b(first|second|it)\b/i;
const ORDER = /\b[A-Z]-\d+\b/g;

/** The order of a wish: the first or the second of all, the one that it names, or the last. */
function findOrder(messages: readonly ModelMessage[], wish: string): string | undefined {
  const listed = messages.flatMap((message) =>
    message.role === "user" ? (message.text.match(ORDER) ?? []) : [],
  );
  const pointing = POINTING.exec(wish)?.[0].toLowerCase();
  if (pointing === "first") return listed[0];
  if (pointing === "second") return listed[1];
  const named = wish.match(ORDER)?.[0];
  if (named !== undefined || pointing === undefined) return named;
  return messages.flatMap((message) => textOf(message).match(ORDER) ?? []).at(-1);
}

function textOf(message: ModelMessage | undefined): string {
  if (message?.role === "user") return message.text;
  if (message?.role !== "assistant") return "";
  return message.content.map((part) => (part.kind === "text" ? part.text : "")).join(" ");
}

const UNSURE = "I do not know which order you mean: please tell me its number.";

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
    // A rejection ends the refund, and the conversation continues.
    { id: "pay", decision: "ask", tools: ["local.refund"], onReject: "tell" },
  ],
};

const nextInput = { text: "$.signals.message.text", files: "$.signals.message.files" };

const terms = {
  policy,
  grant: {
    grantor: "shop",
    tools: ["local.lookup", "local.refund"],
    budget: { turns: 50, toolCalls: 100 },
  },
  // Each message of the customer is a turn; in between the run waits, and costs nothing.
  bounds: { awaits: ["message"], nextInput },
};

/** The agents that a client can start. It brings the input; the grant is set here. */
export const agents = {
  support: { loop: support, ...terms },
  forgetful: { loop: forgetful, ...terms },
};
