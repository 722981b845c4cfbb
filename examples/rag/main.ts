import { createRuntime, scriptedModel } from "turnseal";
import { manualClock, seededIds } from "turnseal/testing";
import { answer, rag, retrieve } from "./loops.ts";

const model = scriptedModel([
  { json: { text: "The moon raises them, twice a day.", sources: ["Tides"] } },
]);

const runtime = createRuntime({
  loops: [retrieve, answer, rag],
  models: { scripted: model },
  clock: manualClock(),
  ids: seededIds("rag"),
});

const result = await runtime.call(rag, { question: "Does the moon make tides?" });

// The request holds the text that the tool found, and no other part of the corpus.
for (const message of model.requests.flatMap((request) => request.messages)) {
  if (message.role === "user") console.log(message.text);
}
console.log(result.status === "ok" ? result.output : result.error);
console.log(result.trace.map((event) => event.type).join("\n"));
