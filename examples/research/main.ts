import { createRuntime } from "turnseal";
import { manualClock, seededIds } from "turnseal/testing";
import { models, research } from "./loops.ts";

const runtime = createRuntime({
  loops: [research],
  models,
  clock: manualClock(),
  ids: seededIds("research"),
});

const result = await runtime.call(research, { topic: "tides" });
if (result.status === "error") throw new Error(result.error.message);

const { report, sources, open } = result.output;
console.log(report);
for (const [index, source] of sources.entries()) console.log(`[${index + 1}] ${source}`);
console.log(`without an answer: ${open.join(" ")}`);
