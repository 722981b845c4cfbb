import { createRuntime } from "turnseal";
import { manualClock, seededIds } from "turnseal/testing";
import { fixCode, models } from "./loops.ts";
import { told } from "./mender.ts";

const runtime = createRuntime({
  loops: [fixCode],
  models,
  clock: manualClock(),
  ids: seededIds("code-fix"),
});

for (const source of [
  "function slug(title) { return title; }",
  "function slug(title) { return title; } /* stubborn */",
]) {
  told.length = 0;
  const result = await runtime.call(fixCode, { source });
  if (result.status === "error") throw new Error(result.error.message);
  const { passed, failure } = result.output;
  for (const [round, words] of told.entries()) console.log(`round ${round + 1}: ${words}`);
  console.log(passed ? `passed\n${result.output.source}` : `not passed: ${failure}`);
}
