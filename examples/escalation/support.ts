// A model that needs no key: it is sure of what the ticket that it is sent is about, or it is not.
import { type Model, scriptedModel } from "turnseal";

export const support: Model = {
  defaultModel: "support-1",
  generate: (request) => {
    const last = request.messages.findLast(({ role }) => role === "user");
    const text = last?.role === "user" ? last.text : "";
    const isSpecialist = text.includes("Already tried:");
    const word = isSpecialist ? "invoice" : "password";
    const sure = text.includes(word);
    const reply = sure ? `This is how to mend your ${word}.` : `It is not about the ${word}.`;
    return scriptedModel([{ json: { sure, reply } }]).generate(request);
  },
};
