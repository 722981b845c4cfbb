import { createRuntime, manualClock, scriptedModel, seededIds } from "turnseal";
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

// What the model was asked holds what the tool found, and nothing else of the corpus.
for (const message of model.requests.flatMap((request) => request.messages)) {
  if (message.role === "user") console.log(message.text);
}
console.log(result.status === "ok" ? result.output : result.error);
console.log(result.trace.map((event) => event.type).join("\n"));
