import { createRuntime, scriptedModel } from "turnseal";
import { manualClock, seededIds } from "turnseal/testing";
import { decide, explain, orderParts, reserve } from "./loops.ts";

const runtime = createRuntime({
  loops: [decide, reserve, explain, orderParts],
  models: {
    scripted: scriptedModel([
      { json: { part: "nut", count: 60 } },
      "We have set 45 nuts aside for you; 15 are missing.",
      // A part that does not exist: the schema stops it before the tool sees it.
      { json: { part: "rocket", count: 1 } },
    ]),
  },
  clock: manualClock(),
  ids: seededIds("tool-calling"),
});

const done = await runtime.call(orderParts, { request: "Sixty nuts, please." });
console.log(done.status === "ok" ? done.output : done.error);
console.log(done.trace.map((event) => event.type).join("\n"));

const refused = await runtime.call(orderParts, { request: "A rocket, please." });
console.log(refused.status === "ok" ? refused.output : refused.error.message);
console.log(refused.trace.map((event) => event.type).join("\n"));
