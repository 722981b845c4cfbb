/** Prepares the calls of a composite, and translates their failures. */
import { attenuate, type CallErrorCode, FINAL_CODES, type JsonObject } from "@turnseal/protocol";
import type { CheckedMapping } from "../definition/checked-mapping.ts";
import { DEPTH_MAX } from "../limits.ts";
import { carryFailure, type Failed, fail, isDeclined, type Outcome, succeed } from "../outcome.ts";
import type { Frame } from "../resume/frame.ts";
import type { World } from "../world.ts";
import type { CallChild } from "./call-child.ts";

/** A step or a node that calls a loop. */
export interface CalledLoop {
  readonly loopId: string;
  readonly loopVersion: string | undefined;
  readonly mapping: CheckedMapping;
  readonly grantMapping: CheckedMapping | undefined;
}

/** Where it stands. */
interface ChildPlace {
  /** Its number among its siblings. */
  readonly index: number;
  /** Its name in messages. */
  readonly what: string;
  /** Its path below that of its composite. */
  readonly path: string;
  /** Its place in the definition. */
  readonly place: string;
  /** Builds an object from what is known there. */
  readonly map: (mapping: CheckedMapping, what: string) => Outcome<JsonObject>;
}

type Child = Parameters<CallChild>[0];

/** Everything that can be known to be wrong before the child starts. */
export function prepareChild(
  called: CalledLoop,
  { index, what, path: below, place, map }: ChildPlace,
  { frame, world }: { readonly frame: Frame; readonly world: World },
): Outcome<Child> {
  if (frame.isCancelled()) return fail("CANCELLED", "the call was cancelled");
  if (frame.lastMs() >= frame.deadlineAt)
    return fail("TIMEOUT", `${what} would start after the deadline`);
  const path = frame.path + below;
  const call = world.identity.ids.create(path);
  if (frame.isTraceFull(call)) return fail("BUDGET_EXCEEDED", "the trace is full");
  const { loopId, loopVersion } = called;
  const loop = world.identity.loops(loopId, loopVersion);
  if (loop === undefined) {
    const wanted = loopVersion === undefined ? loopId : `${loopId} ${loopVersion}`;
    const failed = { index, loopId, code: "LOOP_NOT_FOUND" } as const;
    return fail("LOOP_NOT_FOUND", `${what} refers to ${wanted}, which is not registered`, {
      step: failed,
    });
  }
  if (frame.depth >= DEPTH_MAX)
    return fail("DEPTH_EXCEEDED", `calls nest deeper than ${DEPTH_MAX}`);
  const mapped = map(called.mapping, what);
  if (mapped.kind !== "ok") return mapped;
  const narrowed = narrowGrant(called, { what, map }, frame);
  if (narrowed.kind !== "ok") return narrowed;
  return succeed({ loop, input: mapped.value, call, path, place, ...narrowed.value });
}

/**
 * Narrows the caller's grant for a step by its mapping. Without a mapping the step has all of it.
 */
function narrowGrant(
  { grantMapping }: CalledLoop,
  { what, map }: Pick<ChildPlace, "what" | "map">,
  { grant }: Frame,
): Outcome<Pick<Child, "narrowed">> {
  if (grantMapping === undefined || grant === undefined) return succeed({});
  const asked = map(grantMapping, `the grant of ${what}`);
  if (asked.kind !== "ok") return asked;
  const cut = attenuate(grant, asked.value);
  if (cut.kind === "attenuated") return succeed({ narrowed: cut });
  const message = `${what} asks for more than its caller may: ${cut.code}`;
  return fail("POLICY_DENIED", message, { denial: "grant-widened" });
}

/** Failures that end everything around them keep their code on the way up. */
export const endsTree: ReadonlySet<CallErrorCode> = new Set(FINAL_CODES);

/** True when nothing that stands around it can make up for the failure. */
export function endsFlow(failed: Failed, frame: Frame): boolean {
  const { error, isUnknown = false } = failed;
  const endsAll = endsTree.has(error.code) && !isDeclined(error);
  return isUnknown || endsAll || isLate(failed, frame);
}

function isLate({ error: { code } }: Failed, frame: Frame): boolean {
  return code === "TIMEOUT" && frame.lastMs() >= frame.deadlineAt;
}

interface FailedChild extends Pick<ChildPlace, "index" | "what"> {
  readonly loopId: string;
  readonly frame: Frame;
}

/** Makes the composite's failure from the failure of a child. */
export function failChild(outcome: Failed, { loopId, index, what, frame }: FailedChild): Failed {
  const { code, message, details: inner } = outcome.error;
  const { unit, denial, rule } = inner;
  const details = {
    ...(unit === undefined ? {} : { unit }),
    ...(denial === undefined ? {} : { denial }),
    ...(rule === undefined ? {} : { rule }),
    step: { index, loopId, code },
  };
  const carried = carryFailure(outcome);
  if (endsTree.has(code)) return { ...fail(code, message, details), ...carried };
  if (isLate(outcome, frame))
    return { ...fail("TIMEOUT", `${what} did not end before the deadline`, details), ...carried };
  return {
    ...fail("CHILD_FAILED", `${what} (${loopId}) failed: ${code}`, details),
    ...carried,
  };
}
