import { type Model, type ScriptedReply, scriptedModel } from "turnseal";

/**
 * Answers in place of a model, so that this project runs without a key. For a real model, write
 * openai, anthropic or google as the backend of the prompt, and delete this file.
 */
const script: Model = {
  defaultModel: "script-1",
  generate: (request) => {
    const asked = request.messages.findLastIndex(({ role }) => role === "user");
    const results = request.messages.slice(asked).filter(({ role }) => role === "tool");
    const said = request.messages[asked];
    const isBooking = said?.role === "user" && /book/i.test(said.text);
    const booking: ScriptedReply[] = [
      { toolCalls: [{ tool: "local__book", input: { people: 2, time: "20:00" } }] },
      "Your table for two at eight is booked.",
    ];
    const replies = isBooking ? booking : ["Shall I book a table for two at eight?"];
    return scriptedModel(replies.slice(results.length)).generate(request);
  },
};

export const models = { script };
