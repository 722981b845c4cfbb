/** A file as it is merged and written, and as it is recorded. */
import type { Blob } from "@turnseal/ports";
import type { FileState, MergedFile } from "@turnseal/protocol/artifact";

export function withMode(bytes: Uint8Array, mode: number | undefined): MergedFile {
  return mode === undefined ? { bytes } : { bytes, mode };
}

export function stateOf({ digest, size }: Blob, mode: number | undefined): FileState {
  return { digest, bytes: size, ...(mode === undefined ? {} : { mode }) };
}
