/**
 * The body of a composite loop: its steps, in order.
 *
 * 1. A step's child has its id before it starts, and its events stand between child.started and
 *    child.completed.
 * 2. A step that fails ends the composite; the next one never starts.
 * 3. What ends the whole tree (a cancel, a limit) keeps its code on the way up; other failures
 *    become CHILD_FAILED.
 */
import { attenuate, type CallErrorCode, type JsonObject, type JsonValue } from "@turnseal/protocol";
import type { CheckedLoop, CheckedStep } from "../definition/check-loop.ts";
import { applyMapping, type CheckedMapping } from "../definition/checked-mapping.ts";
import { DEPTH_MAX } from "../limits.ts";
import { type Failed, fail, type Outcome, succeed } from "../outcome.ts";
import type { Frame } from "../resume/frame.ts";
import { placeBelow } from "../thread/place.ts";
import type { World } from "../world.ts";
import type { CallChild } from "./call-child.ts";
import { createStepResult } from "./step-result.ts";

const endsTree: ReadonlySet<CallErrorCode> = new Set([
  "CANCELLED",
  "DEPTH_EXCEEDED",
  "BUDGET_EXCEEDED",
  "POLICY_DENIED",
]);

/** Runs the steps and answers with the composite's output, not validated yet. */
export async function runSequence(
  loop: CheckedLoop,
  input: JsonValue,
  { frame, world, callChild }: { frame: Frame; world: World; callChild: CallChild },
): Promise<Outcome<JsonValue>> {
  const steps: JsonObject[] = [];
  let known: JsonObject = { input, steps };
  let last: JsonValue = null;
  for (const [index, step] of loop.steps.entries()) {
    const child = prepareStep(step, index, known, { frame, world });
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

    if (outcome.kind === "error") return failStep(outcome, { step, index, frame });
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

type Child = Parameters<CallChild>[0];

/** Everything that can be known to be wrong before the child starts. */
function prepareStep(
  step: CheckedStep,
  index: number,
  known: JsonObject,
  { frame, world }: { readonly frame: Frame; readonly world: World },
): Outcome<Child> {
  if (frame.isCancelled()) return fail("CANCELLED", "the call was cancelled");
  if (frame.lastMs() >= frame.deadlineAt)
    return fail("TIMEOUT", `step ${index} would start after the deadline`);
  if (frame.isTraceFull()) return fail("BUDGET_EXCEEDED", "the trace is full");
  const loop = world.loops(step.loopId, step.loopVersion);
  if (loop === undefined) {
    const wanted =
      step.loopVersion === undefined ? step.loopId : `${step.loopId} ${step.loopVersion}`;
    const failed = { index, loopId: step.loopId, code: "LOOP_NOT_FOUND" } as const;
    return fail("LOOP_NOT_FOUND", `step ${index} refers to ${wanted}, which is not registered`, {
      step: failed,
    });
  }
  if (frame.depth >= DEPTH_MAX)
    return fail("DEPTH_EXCEEDED", `calls nest deeper than ${DEPTH_MAX}`);
  const mapped = mapFields(step.mapping, known, `step ${index}`);
  if (mapped.kind !== "ok") return mapped;
  const narrowed = narrowGrant(step, index, known, frame);
  if (narrowed.kind !== "ok") return narrowed;
  const path = `${frame.path}/steps/${index}`;
  const call = world.ids.create(path);
  const place = placeBelow(frame.place, `steps/${index}`);
  return succeed({ loop, input: mapped.value, call, path, place, ...narrowed.value });
}

/**
 * What a step is given of its caller's grant: all of it, or what its mapping asks for, never more.
 */
function narrowGrant(
  { grantMapping }: CheckedStep,
  index: number,
  known: JsonObject,
  { grant }: Frame,
): Outcome<Pick<Child, "narrowed">> {
  if (grantMapping === undefined || grant === undefined) return succeed({});
  const asked = mapFields(grantMapping, known, `the grant of step ${index}`);
  if (asked.kind !== "ok") return asked;
  const cut = attenuate(grant, asked.value);
  if (cut.kind === "attenuated") return succeed({ narrowed: cut });
  const message = `step ${index} asks for more than its caller may: ${cut.code}`;
  return fail("POLICY_DENIED", message, { denial: "grant-widened" });
}

function mapFields(mapping: CheckedMapping, known: JsonObject, what: string): Outcome<JsonObject> {
  const mapped = applyMapping(mapping, known);
  if (mapped.kind === "mapped") return succeed(mapped.fields);
  if (mapped.kind === "failed") {
    const { field, expression, failure } = mapped;
    const message = `${what}: the expression of \`${field}\` gives no value: ${failure}`;
    return fail("MAPPING_FAILED", message, { expression, failure });
  }
  const { path, reason } = mapped;
  return fail("MAPPING_FAILED", `${what}: ${path} cannot be followed: ${reason}`, { path });
}

interface FailedStep {
  readonly step: CheckedStep;
  readonly index: number;
  readonly frame: Frame;
}

function failStep(outcome: Failed, { step, index, frame }: FailedStep): Failed {
  const { code, message, details: inner } = outcome.error;
  const { unit, denial, rule } = inner;
  const details = {
    ...(unit === undefined ? {} : { unit }),
    ...(denial === undefined ? {} : { denial }),
    ...(rule === undefined ? {} : { rule }),
    step: { index, loopId: step.loopId, code },
  };
  const reason = outcome.reason === undefined ? {} : { reason: outcome.reason };
  if (endsTree.has(code)) return { ...fail(code, message, details), ...reason };
  const isLate = code === "TIMEOUT" && frame.lastMs() >= frame.deadlineAt;
  if (isLate)
    return {
      ...fail("TIMEOUT", `step ${index} did not end before the deadline`, details),
      ...reason,
    };
  return {
    ...fail("CHILD_FAILED", `step ${index} (${step.loopId}) failed: ${code}`, details),
    ...reason,
  };
}
