export { RECONCILE_WAYS, type ReconcileWay } from "../reconcile-way.ts";
export {
  ARTIFACTS_MAX,
  type Artifact,
  type ArtifactDigest,
  FILE_MODE_MAX,
  type FileArtifact,
  type FileState,
  isArtifact,
  isRootName,
  type OutsideArtifact,
  ROOT_NAME_LENGTH_MAX,
} from "./artifact.ts";
export {
  ARTIFACT_DEPTH_MAX,
  ARTIFACT_NAME_BYTES_MAX,
  ARTIFACT_PATH_LENGTH_MAX,
  findPathFault,
  findTwins,
  foldPath,
  isUnder,
  PATH_FAULTS,
  type PathFault,
} from "./artifact-path.ts";
export { type ArtifactProblem, checkArtifacts } from "./check-artifacts.ts";
export {
  classifyDrift,
  type Drift,
  type DriftQuestion,
  type ObservedEntry,
  type RecordedFile,
  type UnreadReason,
} from "./classify-drift.ts";
export { DIFF_LINES_MAX, diffLines, type LineChange } from "./diff-lines.ts";
export {
  changeManaged,
  countPages,
  findManaged,
  listManaged,
  loadManaged,
  type ManagedChange,
  type ManagedChanges,
  type ManagedPages,
  type ManagedRef,
  type ManagedRoots,
  openManaged,
} from "./managed-files.ts";
export { type FileMerge, type MergedFile, type MergedFiles, mergeFiles } from "./merge-files.ts";
export {
  MERGE_LENGTH_MAX,
  type Merge,
  type MergeConflict,
  type MergeNames,
  type MergeTexts,
  mergeTexts,
  splitLines,
} from "./merge-texts.ts";
export {
  type Adoption,
  isAdoption,
  isEqualFile,
  isReconciliation,
  isSameFile,
  MERGED_BYTES_MAX,
  RECONCILED_BYTES_MAX,
  RECONCILED_FILES_MAX,
  type ReconciledFile,
  type Reconciliation,
} from "./reconciliation.ts";
