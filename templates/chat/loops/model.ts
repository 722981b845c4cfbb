import { type Model, type ModelMessage, type ScriptedReply, scriptedModel } from "turnseal";

/** The first key in the environment decides who answers. Without a key the script below does. */
const providers = {
  OPENAI_API_KEY: "openai",
  ANTHROPIC_API_KEY: "anthropic",
  GOOGLE_GENERATIVE_AI_API_KEY: "google",
};
const [, id = "script"] = Object.entries(providers).find(([key]) => process.env[key]) ?? [];
export const backend = { id };

/** Stands in for a model. Like a model, it knows only what it is sent. Delete it with a key. */
const script: Model = {
  defaultModel: "script-1",
  generate: (request) => scriptedModel([reply(request.messages)]).generate(request),
};

export const models = { script };

function reply(messages: readonly ModelMessage[]): ScriptedReply {
  const last = messages.at(-1);
  if (last?.role === "tool") return afterTool(last.result, findWish(messages));
  const wish = findWish(messages);
  if (wish.people === undefined) return say("Welcome! For how many people shall I book a table?");
  if (wish.time === undefined) return say(`A table for ${wish.people}, gladly. At what time?`);
  return { toolCalls: [{ tool: "local__find-table", input: { ...wish } }] };
}

interface Wish {
  people?: number;
  time?: string;
}

/** The latest number of people and the latest time in the conversation. */
function findWish(messages: readonly ModelMessage[]): Wish {
  const wish: Wish = {};
  for (const message of messages) {
    if (message.role !== "user") continue;
    const [time] = /\b\d{1,2}(?::\d\d| ?(?:am|pm))/i.exec(message.text) ?? [];
    const [people] = /\b\d{1,2}\b/.exec(message.text.replace(time ?? "", "")) ?? [];
    if (time !== undefined) wish.time = time;
    if (people !== undefined) wish.people = Number(people);
  }
  return wish;
}

function afterTool(result: unknown, wish: Wish): ScriptedReply {
  const { isFree, reference, reason, error } = Object(result);
  if (isFree === true) return { toolCalls: [{ tool: "local__book", input: { ...wish } }] };
  if (reference !== undefined)
    return say(`Done: ${wish.people} people at ${wish.time}, reference ${reference}.`);
  if (error === "POLICY_DENIED") return say("The restaurant said no. Shall we try another time?");
  return say(`That does not work: ${reason ?? "no table is free"}. What else may I try?`);
}

/** Word by word, as models do. */
function say(text: string): ScriptedReply {
  return { pieces: speak(text) };
}

async function* speak(text: string): AsyncGenerator<string> {
  for (const word of text.split(/(?<= )/)) {
    await new Promise((resolve) => setTimeout(resolve, 40));
    yield word;
  }
}
