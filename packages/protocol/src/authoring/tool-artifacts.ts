/** The files that a tool may change, under the root that it declares. */
import type { ArtifactDigest } from "../artifact/artifact.ts";

/**
 * What is written or removed here is managed by the run: it is recorded with the result of the
 * tool, and its content is kept. Paths are those of artifacts, such as `src/main.ts`.
 */
export interface ToolArtifacts {
  /** The bytes of a file as it is now, whoever wrote it. */
  read(path: string): Promise<ArtifactRead>;
  /**
   * Puts a file there, if what is there is what is expected: what the run recorded last, unless the
   * tool says otherwise. A file that is there already with these bytes is done.
   */
  write(path: string, bytes: Uint8Array, options?: ArtifactWrite): Promise<ArtifactChange>;
  /** Takes a file away, if it is what is expected. One that is gone already is done. */
  remove(path: string, options?: Pick<ArtifactWrite, "expected">): Promise<ArtifactChange>;
}

export interface ArtifactWrite {
  /** Permission bits. A file keeps those that it has, unless given. */
  readonly mode?: number;
  /** The digest of what must be there, as `read` says it, or that nothing is. */
  readonly expected?: ArtifactDigest | "absent";
}

export type ArtifactRead =
  | {
      readonly kind: "read";
      readonly bytes: Uint8Array;
      readonly digest: ArtifactDigest;
      readonly mode?: number;
    }
  | { readonly kind: "refused"; readonly reason: ArtifactRefusal };

export type ArtifactChange =
  | { readonly kind: "done" }
  /** Something else is there than was expected, and nothing was changed. */
  | { readonly kind: "changed" }
  | { readonly kind: "refused"; readonly reason: ArtifactRefusal };

/**
 * Why nothing was read or changed. `path`: it is none, or leads out of the root. `undeclared`: the
 * tool declares no root, or there is no run. `read-only`: its effect is `read`. `ended`: it has
 * answered, or nobody waits for it any more. `secret`: one of its secrets would be kept.
 * `too-large`, `too-many`: more than one call, or a run, may keep. `unmanaged`: only what the run
 * manages, or what is named by its digest, is taken away. The rest is what the root found there.
 */
export type ArtifactRefusal =
  | "path"
  | "undeclared"
  | "read-only"
  | "ended"
  | "secret"
  | "too-large"
  | "too-many"
  | "unmanaged"
  | "absent"
  | "changing"
  | "denied"
  | "link"
  | "no-file";
