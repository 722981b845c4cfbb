/**
 * A thing that a run manages outside of its log: a file under a root, or a thing of a service. Its
 * content is in the blobs of the run; this record only tells whether it is still the same.
 */
import type { Digest } from "../digest.ts";
import type { ContentDigest } from "../log/blob-ref.ts";
import { hasOnly, type Is, isCountWithin, isOneOf } from "../shape.ts";
import { findPathFault } from "./artifact-path.ts";

/** The digest of the bytes: under the key of a run, or plain if nothing is secret. */
export type ArtifactDigest = ContentDigest | Digest;

/** The state of a file: two files with the same state read the same. */
export interface FileState {
  readonly digest: ArtifactDigest;
  readonly bytes: number;
  /** Its permission bits; absent if the platform has none, and then nothing compares them. */
  readonly mode?: number;
}

export interface FileArtifact extends FileState {
  readonly kind: "file";
  /** The name of a folder, which each worker binds to a place of its own. */
  readonly root: string;
  /** Where it is under the root, with `/` between names. */
  readonly path: string;
}

/** A thing that only a tool can look at: a row, a page, a deployment. */
export interface OutsideArtifact {
  readonly kind: "outside";
  /** The name of the tool that says what the thing is now. */
  readonly root: string;
  /** Its name in the tool, in the form of a path. */
  readonly path: string;
  /** Of what the tool says of it. */
  readonly digest: ArtifactDigest;
}

export type Artifact = FileArtifact | OutsideArtifact;

/** Artifacts of one run. */
export const ARTIFACTS_MAX = 100_000;
/** Characters of the name of a root. */
export const ROOT_NAME_LENGTH_MAX = 64;
/** Every permission bit, with set-user-id and the like. */
export const FILE_MODE_MAX = 0o7777;

const ROOT_NAME = /^[a-z][a-z0-9._-]*$/;

/** A name as settings and commands write it: no path, and the same on every machine. */
export const isRootName: Is<string> = (value): value is string =>
  typeof value === "string" && value.length <= ROOT_NAME_LENGTH_MAX && ROOT_NAME.test(value);

const isPath: Is<string> = (value): value is string =>
  typeof value === "string" && findPathFault(value) === undefined;
const isDigest: Is<ArtifactDigest> = (value): value is ArtifactDigest =>
  typeof value === "string" && /^(hmac-)?sha256:[0-9a-f]{64}$/.test(value);
const named = { root: isRootName, path: isPath, digest: isDigest };
const isFile: Is<FileArtifact> = hasOnly(
  {
    ...named,
    kind: isOneOf(["file"]),
    bytes: isCountWithin({ least: 0, most: Number.MAX_SAFE_INTEGER }),
  },
  { mode: isCountWithin({ least: 0, most: FILE_MODE_MAX }) },
);
const isOutside: Is<OutsideArtifact> = hasOnly({ ...named, kind: isOneOf(["outside"]) });

/** True for exactly an artifact: with another field it is none. */
export const isArtifact: Is<Artifact> = (value): value is Artifact =>
  isFile(value) || isOutside(value);
