// A model that needs no key. It mends what the failure says, one thing at a time, in the source
// that it is sent.
import { type Model, scriptedModel } from "turnseal";

/** The failures that it was told, in order. */
export const told: string[] = [];

export const mender: Model = {
  defaultModel: "mender-1",
  generate: (request) => {
    const last = request.messages.findLast(({ role }) => role === "user");
    const [, source = "", failure = ""] =
      /^Source:\n(.*)\nFailure: (.*)$/s.exec(last?.role === "user" ? last.text : "") ?? [];
    told.push(failure);
    return scriptedModel([{ json: { source: mend(source, failure) } }]).generate(request);
  },
};

function mend(source: string, failure: string): string {
  if (source.includes("stubborn")) return source;
  if (failure.includes("spaces")) return source.replace("title.", "title.trim().");
  if (failure.includes("nder"))
    return source.replace(".trim()", '.trim().normalize("NFD").replace(/\\p{M}/gu, "")');
  return source.replace(/return .*;/, 'return title.toLowerCase().replace(/\\s+/g, "-");');
}
