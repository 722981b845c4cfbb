import type { EventOf, JsonValue } from "@turnseal/protocol";
import { ownerOf, type Step } from "../step/step.ts";

type KernelResolution = "orphaned" | "again" | "happened" | "never";

/** Records what the kernel itself has decided about an open claim. */
export function resolveClaim(
  step: Step,
  claim: EventOf<"action.claimed">,
  resolution: KernelResolution,
  result?: JsonValue,
): EventOf<"action.resolved"> {
  const { reserve } = claim.content;
  return step.appender.push(() => ({
    ...ownerOf(step),
    type: "action.resolved",
    content: { key: step.key, claim: claim.sequence, resolution, reserve },
    ...(result === undefined ? {} : { attached: { result } }),
  }));
}
