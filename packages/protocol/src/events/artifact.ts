/** Changes of the managed files of a run. */
import type { BlobRef } from "../log/blob-ref.ts";
import { RECONCILE_WAYS, type ReconcileWay } from "../reconcile-way.ts";
import { type FieldsOf, hasOnly, type Is, isCount, isOneOf, isText } from "../shape.ts";
import { isRef, isTime } from "./fields.ts";

/** Changes to what is managed under one root, made together. Each path is content. */
export type ArtifactChanges = {
  readonly root: string;
  /** The managed files before, by their first page; absent if there were none. */
  readonly before?: BlobRef;
  /** The managed files from here on; absent if there are none. */
  readonly after?: BlobRef;
  /** How many files that are. */
  readonly files: number;
  /** The changes, file by file, and their number. */
  readonly changes: BlobRef;
  readonly changed: number;
};

/** A person decided which side wins for drifted files. */
export type DriftReconciled = {
  /** The key of the message, and when it was made durable. */
  readonly key: string;
  readonly receivedAt: string;
  readonly way: ReconcileWay;
  readonly root: string;
  /**
   * The content that the person was shown for each file: the recorded state, the state that was
   * there, and the new state.
   */
  readonly difference: BlobRef;
  /** How many files were reconciled. */
  readonly files: number;
  /** How many were not, where there are any, and why the first of them was not. */
  readonly left?: number;
  readonly why?: string;
  /** The managed files after it, if they changed. */
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
