/**
 * Content of runs, checked by its digest. Otherwise, write access to a store would be enough to
 * choose what others see, or get as an answer.
 */
import type { BlobStore } from "@turnseal/ports";
import { hmacSha256Hex } from "@turnseal/protocol";

/** Reads content as it was stored; undefined where it was erased or exchanged. */
export type HeldBlobs = Pick<BlobStore, "read">;

export function holdBlobs(blobs: Pick<BlobStore, "read" | "readKey">): HeldBlobs {
  let last: { readonly run: string; readonly key: Uint8Array } | undefined;
  return {
    read: async (run, digest) => {
      const bytes = await blobs.read(run, digest);
      if (bytes === undefined) return undefined;
      // The key of a run does not change; without one, nothing is left of its content.
      const key = last?.run === run ? last.key : await blobs.readKey(run);
      if (key === undefined) return undefined;
      last = { run, key };
      return `hmac-sha256:${hmacSha256Hex(key, bytes)}` === digest ? bytes : undefined;
    },
  };
}
