import { createRuntime, scriptedModel } from "turnseal";
import { manualClock, seededIds } from "turnseal/testing";
import { hello } from "./loops.ts";

const runtime = createRuntime({
  loops: [hello],
  // What the model will say. Without it a built-in model answers, and echoes the prompt.
  models: { scripted: scriptedModel(["Hello, Ada, it is good to meet you."]) },
  // A clock that stands still and ids from a seed make every run the same, to the byte.
  clock: manualClock(),
  ids: seededIds("hello"),
});

const result = await runtime.call(hello, { name: "Ada" });

console.log(result.status === "ok" ? result.output.text : result.error.message);
console.log(result.trace.map((event) => event.type).join("\n"));
