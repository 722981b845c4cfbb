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
  const results = messages.flatMap((message) => (message.role === "tool" ? [message.result] : []));
  const last = Object(results.at(-1));
  if (last.reference !== undefined)
    return `${(last.amountCents / 100).toFixed(2)} is paid back, reference ${last.reference}.`;
  if (last.error !== undefined) return `The refund was not paid: ${last.reason ?? last.error}.`;
  if (last.order !== undefined) return { toolCalls: [{ tool: "local__pay", input: last }] };
  const [said] = messages.flatMap((message) => (message.role === "user" ? [message.text] : []));
  const [, order = ""] = /order (\S+?)\.?$/.exec(said ?? "") ?? [];
  return { toolCalls: [{ tool: "local__lookup", input: { order } }] };
}
