// A model that needs no key: it decides by the words of the issue that it is sent.
import { type Model, type ScriptedReply, scriptedModel } from "turnseal";

export const triager: Model = {
  defaultModel: "triager-1",
  generate: (request) => {
    const last = request.messages.findLast(({ role }) => role === "user");
    return scriptedModel([judge(last?.role === "user" ? last.text : "")]).generate(request);
  },
};

function judge(text: string): ScriptedReply {
  const title = /^Title: (.*)$/m.exec(text)?.[1] ?? "";
  if (/buy|casino/i.test(text)) return { json: { kind: "spam", reply: "" } };
  if (title.endsWith("?")) return { json: { kind: "question", reply: `See the guide: ${title}` } };
  return { json: { kind: "bug", reply: "" } };
}
