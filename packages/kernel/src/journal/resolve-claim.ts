import type { JsonValue, LoopEvent } from "@turnseal/protocol";
import { pushForCall, type Step } from "../step/step.ts";

type KernelResolution = "orphaned" | "again" | "happened" | "never";

/** Records what the kernel itself has decided about an open claim. */
export function resolveClaim(
  step: Step,
  claim: LoopEvent,
  resolution: KernelResolution,
  result?: JsonValue,
): LoopEvent {
  const reserve = claim.content["reserve"] ?? {};
  const content = { key: step.key, claim: claim.sequence, resolution, reserve };
  const attached = result === undefined ? undefined : { result };
  return pushForCall(step, "action.resolved", content, attached);
}
