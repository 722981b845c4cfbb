/** The files that a tool may change, under the root that it declares. */
import type { ArtifactDigest } from "../artifact/artifact.ts";

/**
 * The run manages files that are written or removed here: they are recorded with the result of the
 * tool, and their content is kept. Paths are those of artifacts, such as `src/main.ts`.
 */
export interface ToolArtifacts {
  /** The present bytes of a file, by any author. */
  read(path: string): Promise<ArtifactRead>;
  /** The present entries of a folder, by any author. The empty path is the root. */
  list(folder: string, options?: ArtifactSearch): Promise<ArtifactListing>;
  /** The digest that `read` answers for a file of these bytes. */
  digestOf(bytes: Uint8Array): ArtifactDigest;
  /**
   * Puts a file there, if what is there is what is expected: what the run recorded last, unless the
   * tool says otherwise. A file that is there already with these bytes is done.
   */
  write(path: string, bytes: Uint8Array, options?: ArtifactWrite): Promise<ArtifactChange>;
  /** Removes a file, if it is as expected. A file that is gone already counts as removed. */
  remove(path: string, options?: Pick<ArtifactWrite, "expected">): Promise<ArtifactChange>;
}

export interface ArtifactSearch {
  /** True for the entries at every depth. */
  readonly isDeep?: boolean;
  /**
   * Texts that the tool looks for: files in which none of them stands may be left out. With
   * `isLowered` they are looked for in the text of a file as `toLowerCase` gives it.
   */
  readonly holding?: { readonly texts: readonly string[]; readonly isLowered?: boolean };
}

export interface ArtifactWrite {
  /** Permission bits. If absent, the file keeps its bits. */
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

export type ArtifactListing =
  | {
      readonly kind: "listed";
      /** In no order. A link is listed and never followed. */
      readonly entries: readonly {
        readonly kind: "file" | "folder" | "link" | "special";
        readonly path: string;
      }[];
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
 * answered, or its caller no longer waits. `secret`: one of its secrets would be kept. `too-large`,
 * `too-many`: more than one call, or a run, may keep. `unmanaged`: only managed files, and files
 * named by their digest, can be removed. The rest is what the root found there.
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
