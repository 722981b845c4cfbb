/**
 * The plan for files that have drifted from the record of a run: a person sees it and approves it.
 * It is content of the run, since it has paths.
 */
import type { ContentDigest } from "../log/blob-ref.ts";
import { RECONCILE_WAYS, type ReconcileWay } from "../reconcile-way.ts";
import {
  hasOnly,
  type Is,
  isCount,
  isCountWithin,
  isListOf,
  isNullOr,
  isOneOf,
  isText,
} from "../shape.ts";
import { FILE_MODE_MAX, type FileState, isRootName } from "./artifact.ts";
import { findPathFault } from "./artifact-path.ts";
import type { RecordedFile } from "./classify-drift.ts";

export interface Reconciliation {
  readonly way: ReconcileWay;
  readonly root: string;
  /** Where the log of the run stood when it was made: the same is never meant twice. */
  readonly at: number;
  /** The first page of what was managed then. */
  readonly managed: string;
  /** In the order of paths. */
  readonly files: readonly ReconciledFile[];
}

export interface ReconciledFile {
  readonly path: string;
  readonly recorded: FileState;
  /** The present state; null if there is no file. */
  readonly seen: FileState | null;
  /**
   * The state that is there and recorded afterwards; null if there is no file, and it is no longer
   * managed.
   */
  readonly becomes: FileState | null;
  /** Of a merge: the event that recorded the last change, by its sequence number. */
  readonly changedBy?: number;
}

/** Files that a run is to manage from now on, as they are there. It is content, too. */
export interface Adoption {
  readonly root: string;
  readonly at: number;
  readonly files: readonly RecordedFile[];
}

/** Files of one reconciliation or adoption, and bytes that it keeps or writes. */
export const RECONCILED_FILES_MAX = 1_000;
export const RECONCILED_BYTES_MAX = 64 * 1024 * 1024;
/** Bytes of all texts that one word merges: the worker does nothing else while it merges one. */
export const MERGED_BYTES_MAX = 4 * 1024 * 1024;

const isPath: Is<string> = (value): value is string =>
  typeof value === "string" && findPathFault(value) === undefined;
const isDigest: Is<ContentDigest> = (value): value is ContentDigest =>
  typeof value === "string" && /^hmac-sha256:[0-9a-f]{64}$/.test(value);
const isState: Is<FileState> = hasOnly(
  { digest: isDigest, bytes: isCount },
  { mode: isCountWithin({ least: 0, most: FILE_MODE_MAX }) },
);
const isFile: Is<ReconciledFile> = hasOnly(
  { path: isPath, recorded: isState, seen: isNullOr(isState), becomes: isNullOr(isState) },
  { changedBy: isCount },
);
const isWhole: Is<Reconciliation> = hasOnly({
  way: isOneOf(RECONCILE_WAYS),
  root: isRootName,
  at: isCount,
  managed: isText,
  files: isListOf(isFile, { least: 1, most: RECONCILED_FILES_MAX }),
});

const isAdoptedFile: Is<RecordedFile> = hasOnly(
  { path: isPath, digest: isDigest, bytes: isCount },
  { mode: isCountWithin({ least: 0, most: FILE_MODE_MAX }) },
);
const isWholeAdoption: Is<Adoption> = hasOnly({
  root: isRootName,
  at: isCount,
  files: isListOf(isAdoptedFile, { least: 1, most: RECONCILED_FILES_MAX }),
});

/** True for exactly an adoption, each file of it once. */
export const isAdoption: Is<Adoption> = (value): value is Adoption =>
  isWholeAdoption(value) && isEachOnce(value.files);

/** True for exactly a reconciliation, each file of it once. */
export const isReconciliation: Is<Reconciliation> = (value): value is Reconciliation =>
  isWhole(value) && isEachOnce(value.files);

function isEachOnce(files: readonly { readonly path: string }[]): boolean {
  return new Set(files.map(({ path }) => path)).size === files.length;
}

/** Two states are the same where bytes are, and modes, if both have one. */
export function isSameFile(one: FileState | null, other: FileState | null): boolean {
  if (one === null || other === null) return one === other;
  if (one.digest !== other.digest) return false;
  return one.mode === undefined || other.mode === undefined || one.mode === other.mode;
}

/** Two states are equal if all their fields are, with none missing. */
export function isEqualFile(one: FileState | null, other: FileState | null): boolean {
  if (one === null || other === null) return one === other;
  return one.digest === other.digest && one.bytes === other.bytes && one.mode === other.mode;
}
