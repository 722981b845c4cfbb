import { type Model, type ScriptedReply, scriptedModel } from "turnseal";

/**
 * Answers in place of a model, so that this project runs without a key. For a real model, write
 * openai, anthropic or google as the backend of the prompt, and delete this file.
 */
const script: Model = {
  defaultModel: "script-1",
  generate: (request) => {
    const asked = request.messages.findLastIndex(({ role }) => role === "user");
    const results = request.messages
      .slice(asked)
      .flatMap((message) => (message.role === "tool" ? [message.result] : []));
    const replies: ScriptedReply[] = [
      { toolCalls: [{ tool: "local__lookup", input: { order: "A-17" } }] },
      { toolCalls: [{ tool: "local__pay", input: results[0] }] },
      "Order A-17 is refunded.",
    ];
    return scriptedModel(replies.slice(results.length)).generate(request);
  },
};

export const models = { script };
