import { holdBlobs } from "@turnseal/kernel";
import type { Stores } from "@turnseal/ports";
import type { BlobRef, JsonValue } from "@turnseal/protocol";

/** Reads the content of a reference; undefined after an erasure, and if it was exchanged. */
export async function readContent(
  { blobs }: Pick<Stores, "blobs">,
  run: string,
  reference: Pick<BlobRef, "digest">,
): Promise<JsonValue | undefined> {
  const bytes = await holdBlobs(blobs).read(run, reference.digest);
  return bytes === undefined
    ? undefined
    : (JSON.parse(new TextDecoder().decode(bytes)) as JsonValue);
}
