/** What becomes of files that a run manages. */
import type { BlobRef } from "../log/blob-ref.ts";
import { hasFields, type Is, isCount, isText } from "../shape.ts";
import { isRef } from "./fields.ts";

/** Changes to what is managed under one root, made together. Each path is content. */
export type ArtifactChanges = {
  readonly root: string;
  /** What was managed before, by its first page; absent where nothing was. */
  readonly before?: BlobRef;
  /** What is managed from here on; absent where nothing is. */
  readonly after?: BlobRef;
  /** How many files that are. */
  readonly files: number;
  /** What changed, file by file, and how many did. */
  readonly changes: BlobRef;
  readonly changed: number;
};

export const areArtifactChanges: Is<ArtifactChanges> = hasFields(
  { root: isText, files: isCount, changes: isRef, changed: isCount },
  { before: isRef, after: isRef },
);
