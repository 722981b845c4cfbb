import type { ManagedRoots } from "@turnseal/kernel";
import type { ArtifactChanges } from "@turnseal/protocol";

/** What is managed after changes under one root: only the latest is kept. */
export function applyChanges(
  before: ManagedRoots = {},
  { root, after, files }: ArtifactChanges,
): ManagedRoots {
  const { [root]: _, ...others } = before;
  return after === undefined ? others : { ...others, [root]: { page: after, files } };
}
