import { type Model, scriptedModel } from "turnseal";

/**
 * Answers in place of a model, so that this project runs without a key. For a real model, write
 * openai, anthropic or google as the provider in announce.toml, and delete this file.
 */
const script: Model = {
  defaultModel: "script-1",
  generate: (request) =>
    scriptedModel(["The new office is open. Come and see it."]).generate(request),
};

export const models = { script };
