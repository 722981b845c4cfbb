/**
 * Keeps the content that a file had before a tool changed it, if the run has not recorded that
 * content. A rollback can then restore it.
 */
import type { Blob } from "@turnseal/ports";
import type { FileState } from "@turnseal/protocol/artifact";
import type { ArtifactWrite } from "@turnseal/protocol/authoring";
import { ARTIFACT_BYTES_MAX } from "../limits.ts";
import type { RootArtifacts } from "../log/run-artifacts.ts";

/** The changes of one call so far, and the files as they were before. */
export interface KeptBefore {
  readonly changes: ReadonlyMap<string, FileState | null>;
  readonly was: Map<string, FileState | "absent" | "unknown">;
  readonly blobs: Map<string, Blob>;
  bytes: number;
  /** True where an earlier attempt may have changed files already. */
  readonly isRepeated: boolean;
  /** True for bytes that a secret of the tool is in. */
  readonly isSecret: (bytes: Uint8Array) => boolean;
}

interface Looked {
  /** The expected state before the change. */
  readonly wanted: NonNullable<ArtifactWrite["expected"]>;
  /** The state that the run has recorded, or that this call has made. */
  readonly last: FileState | undefined;
  readonly made: KeptBefore;
}

interface Prior {
  readonly state: FileState | "absent" | "unknown";
  readonly blob?: Blob;
}

/** Before the change. Undefined where the record has it already, or nothing will be changed. */
export async function readPrior(
  root: Pick<RootArtifacts, "files" | "seal">,
  path: string,
  { wanted, last, made }: Looked,
): Promise<Prior | "too-large" | undefined> {
  // A state that this call made is not the state before it.
  if (made.changes.has(path) || (last?.digest ?? "absent") === wanted) return undefined;
  if (wanted === "absent") return { state: "absent" };
  const there = await root.files.read(path);
  if (there.kind !== "read" || there.state.digest !== wanted) return undefined;
  // A secret is kept nowhere. The tool may still change the file, and a rollback leaves it.
  if (made.isSecret(there.bytes)) return { state: "unknown" };
  const blob = root.seal(there.bytes);
  if (made.bytes + blob.size > ARTIFACT_BYTES_MAX) return "too-large";
  return { state: there.state, blob };
}

/** After it. */
export function keepPrior(prior: Prior | undefined, path: string, made: KeptBefore): void {
  if (prior === undefined) return;
  const { state, blob } = prior;
  made.was.set(path, state);
  if (blob === undefined || made.blobs.has(blob.digest)) return;
  made.bytes += blob.size;
  made.blobs.set(blob.digest, blob);
}

/**
 * The file was found as it was to become. An attempt that broke off has done that, and found what
 * it expected; of a first attempt it was there before.
 */
export function keepFound(path: string, found: FileState | "absent", looked: Looked): void {
  const { wanted, last, made } = looked;
  if (made.changes.has(path)) return;
  if (!made.isRepeated) made.was.set(path, found);
  else if (wanted !== (last?.digest ?? "absent"))
    made.was.set(path, wanted === "absent" ? "absent" : "unknown");
}
