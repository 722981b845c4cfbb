import { holdBlobs } from "@turnseal/kernel";
import type { Stores } from "@turnseal/ports";
import type { BlobRef, JsonValue } from "@turnseal/protocol";

/** What a reference names; undefined after an erasure, and where it is not what was stored. */
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
