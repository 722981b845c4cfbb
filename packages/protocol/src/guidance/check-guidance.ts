import type { PinnedGuidance } from "./guidance.ts";
import { pinGuidance } from "./pin-guidance.ts";

export type GuidanceCheck = "ok" | "guidance-changed";

/**
 * Whether these texts are the documents that were pinned: each of them, in order, to the byte, and
 * within the limits.
 */
export function checkGuidance(
  pinned: readonly PinnedGuidance[],
  texts: readonly string[],
): GuidanceCheck {
  if (pinned.length !== texts.length) return "guidance-changed";
  const again = pinGuidance(pinned.map(({ ref }, index) => ({ ref, text: texts[index] ?? "" })));
  const isSame =
    again.kind === "pinned" && again.pinned.every((pin, index) => isSamePin(pin, pinned[index]));
  return isSame ? "ok" : "guidance-changed";
}

function isSamePin(one: PinnedGuidance, other: PinnedGuidance | undefined): boolean {
  return (
    one.digest === other?.digest && one.size === other.size && one.mediaType === other.mediaType
  );
}
