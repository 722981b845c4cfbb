/** What becomes of files that a run manages. */
import type { BlobRef } from "../log/blob-ref.ts";
import { RECONCILE_WAYS, type ReconcileWay } from "../reconcile-way.ts";
import { type FieldsOf, hasOnly, type Is, isCount, isOneOf, isText } from "../shape.ts";
import { isRef, isTime } from "./fields.ts";

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

/** A person said what counts where files were not what the run recorded. */
export type DriftReconciled = {
  /** The key of the message, and when it was made durable. */
  readonly key: string;
  readonly receivedAt: string;
  readonly way: ReconcileWay;
  readonly root: string;
  /** What the person was shown: file by file what was recorded, what was there, what it becomes. */
  readonly difference: BlobRef;
  /** How many files were reconciled. */
  readonly files: number;
  /** How many were not, where there are any, and why the first of them was not. */
  readonly left?: number;
  readonly why?: string;
  /** What is managed now, where that is another. */
  readonly artifacts?: ArtifactChanges;
};

/** A person had the run manage files that were there. */
export type ArtifactAdopted = {
  readonly key: string;
  readonly receivedAt: string;
  readonly artifacts: ArtifactChanges;
};

export const areArtifactChanges: Is<ArtifactChanges> = hasOnly(
  { root: isText, files: isCount, changes: isRef, changed: isCount },
  { before: isRef, after: isRef },
);

const received = { key: isText, receivedAt: isTime };

export const driftReconciled: FieldsOf<DriftReconciled> = {
  always: {
    ...received,
    way: isOneOf(RECONCILE_WAYS),
    root: isText,
    difference: isRef,
    files: isCount,
  },
  sometimes: { left: isCount, why: isText, artifacts: areArtifactChanges },
};

export const artifactAdopted: FieldsOf<ArtifactAdopted> = {
  always: { ...received, artifacts: areArtifactChanges },
  sometimes: {},
};
