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

/** The first sentence of the page that it is sent. */
function reply(messages: readonly ModelMessage[]): ScriptedReply {
  const said = messages.findLast(({ role }) => role === "user");
  const [, page = ""] = /Page: (.*)/s.exec(said?.role === "user" ? said.text : "") ?? [];
  return /[^.]*\./.exec(page)?.[0] ?? "The page says nothing.";
}
