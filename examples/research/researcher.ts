// A model that needs no key. It reads what it is sent: it cites the pages that it was shown, and
// nothing else.
import { type Model, type ModelRequest, type ScriptedReply, scriptedModel } from "turnseal";

/** What was asked so far, in order. */
export const asked: string[] = [];

export const researcher: Model = {
  defaultModel: "researcher-1",
  generate: (request) => {
    const text = lastWordsOf(request);
    asked.push(text);
    return scriptedModel([reply(text)]).generate(request);
  },
};

function reply(text: string): ScriptedReply {
  const topic = /^Topic: (.*)$/m.exec(text)?.[1];
  if (topic !== undefined) {
    const questions = [
      `How often does the moon raise ${topic}?`,
      "Does the sun raise them?",
      "What do mermaids say?",
    ];
    return { json: { questions } };
  }
  const shown = /^Pages: (.*)$/m.exec(text)?.[1] ?? "[]";
  const question = /^Question: (.*)$/m.exec(text)?.[1] ?? "";
  const pages: { readonly url: string; readonly text: string }[] = JSON.parse(shown);
  const subject = question.includes("sun") ? "sun" : "moon";
  const best = pages.find((page) => page.text.toLowerCase().includes(`the ${subject} raises`));
  return { json: { claim: best?.text ?? "Not known.", sources: best ? [best.url] : [] } };
}

function lastWordsOf({ messages }: ModelRequest): string {
  const last = messages.findLast(({ role }) => role === "user");
  return last?.role === "user" ? last.text : "";
}
