import type { Stores } from "@turnseal/ports";
import type { BlobRef, JsonValue } from "@turnseal/protocol";

/** What a reference names, or undefined after an erasure. */
export async function readContent(
  { blobs }: Pick<Stores, "blobs">,
  run: string,
  reference: BlobRef,
): Promise<JsonValue | undefined> {
  const bytes = await blobs.read(run, reference.digest);
  return bytes === undefined
    ? undefined
    : (JSON.parse(new TextDecoder().decode(bytes)) as JsonValue);
}
