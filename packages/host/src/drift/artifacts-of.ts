import type { ArtifactChanges, LoopEvent } from "@turnseal/protocol";

/** The file changes that an event records; undefined for any other. */
export function artifactsOf({ type, content }: LoopEvent): ArtifactChanges | undefined {
  switch (type) {
    case "action.settled":
      return content.action === "tool" ? content.artifacts : undefined;
    case "drift.reconciled":
    case "artifact.adopted":
      return content.artifacts;
    default:
      return undefined;
  }
}
