import { createRuntime, scriptedModel } from "turnseal";
import { manualClock, seededIds } from "turnseal/testing";
import { notice, review, revise, write } from "./loops.ts";

// Each agent could have a backend of its own; here one script speaks for both, in turn.
const model = scriptedModel([
  "The lift is out of order.",
  { json: { remarks: ["Say until when."] } },
  "The lift is out of order until Friday.",
]);

const runtime = createRuntime({
  loops: [write, review, revise, notice],
  models: { scripted: model },
  clock: manualClock(),
  ids: seededIds("two-agents"),
});

const result = await runtime.call(notice, { topic: "the lift" });

for (const message of model.requests.flatMap((request) => request.messages)) {
  if (message.role === "user") console.log(`${message.text}\n`);
}
console.log(result.status === "ok" ? result.output : result.error);
console.log(result.trace.map((event) => event.type).join("\n"));
