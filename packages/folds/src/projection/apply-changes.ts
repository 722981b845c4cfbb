import type { ArtifactChanges } from "@turnseal/protocol";
import type { ManagedRoots } from "@turnseal/protocol/artifact";

/** Applies changes under one root to the managed files: only the latest state is kept. */
export function applyChanges(
  before: ManagedRoots = {},
  { root, after, files }: ArtifactChanges,
): ManagedRoots {
  const { [root]: _, ...others } = before;
  return after === undefined ? others : { ...others, [root]: { page: after, files } };
}
