import { type GuidanceDocument, type PinnedGuidance, pinGuidance } from "@turnseal/protocol";
import { HostError } from "../host-error.ts";

export interface RunGuidance {
  readonly pinned: readonly PinnedGuidance[];
  readonly texts: readonly string[];
}

/** The documents of a run with their digests; throws if they are invalid. */
export function pinRunGuidance(documents: readonly GuidanceDocument[]): RunGuidance {
  const pinning = pinGuidance(documents);
  if (pinning.kind === "pinned") return pinning;
  const { refusal, index } = pinning;
  const which = index === undefined ? "the guidance" : `guidance document ${index + 1}`;
  throw new HostError("GUIDANCE_REFUSED", `${which} is refused: ${refusal}`);
}
