/**
 * The steps of a composite loop, in order.
 *
 * 1. A step's child has its id before it starts, and its events stand between child.started and
 *    child.completed.
 * 2. A step that fails ends the composite; the next one never starts.
 * 3. A failure that ends the whole tree (a cancel, a limit) keeps its code on the way up; other
 *    failures become CHILD_FAILED.
 */

import { placeBelow } from "@turnseal/folds";
import type { JsonObject, JsonValue } from "@turnseal/protocol";
import type { CheckedLoop } from "../definition/check-loop.ts";
import type { CheckedMapping } from "../definition/checked-mapping.ts";
import { type Outcome, succeed } from "../outcome.ts";
import type { Frame } from "../resume/frame.ts";
import type { World } from "../world.ts";
import type { CallChild } from "./call-child.ts";
import { mapFields } from "./map-fields.ts";
import { failChild, prepareChild } from "./prepare-child.ts";
import { createStepResult } from "./step-result.ts";

/** Runs the steps and answers with the composite's output, not validated yet. */
export async function runSteps(
  loop: CheckedLoop,
  input: JsonValue,
  parts: { readonly frame: Frame; readonly world: World; readonly callChild: CallChild },
): Promise<Outcome<JsonValue>> {
  const { frame, callChild } = parts;
  const steps: JsonObject[] = [];
  let known: JsonObject = { input, steps };
  let last: JsonValue = null;
  for (const [index, step] of loop.steps.entries()) {
    const what = `step ${index}`;
    const child = prepareChild(step, { index, what, ...placeStep(index, known, frame) }, parts);
    if (child.kind !== "ok") return child;
    const { call } = child.value;

    await frame.catchUp(call);
    frame.record({
      type: "child.started",
      content: { child: call, loop: step.loopId, step: index },
    });
    const outcome = await callChild(child.value);
    if (outcome.kind === "paused") return outcome;
    const status = outcome.kind;
    await frame.catchUp(call);
    frame.record({ type: "child.completed", content: { child: call, status } });

    if (outcome.kind === "error") return failChild(outcome, { ...step, index, what, frame });
    last = outcome.value;
    const ended = { call, loop: child.value.loop, output: last };
    const result = createStepResult(ended, loop.readsRecord ? frame.recorder : undefined);
    steps.push(result);
    if (step.binding !== undefined) known = { ...known, [step.binding]: result };
  }
  return loop.outputMapping === undefined
    ? succeed(last)
    : mapFields(loop.outputMapping, known, "the output");
}

/** The place of a step, and its readable values. */
function placeStep(index: number, known: JsonObject, { place }: Frame) {
  return {
    path: `/steps/${index}`,
    place: placeBelow(place, `steps/${index}`),
    map: (mapping: CheckedMapping, what: string) => mapFields(mapping, known, what),
  };
}
