import type { Stores } from "@turnseal/ports";
import { type BlobRef, isBlobRef, type JsonObject, type JsonValue } from "@turnseal/protocol";
import { followProv, type ProvRecord, toProvDocument } from "@turnseal/views/prov";
import { readEvents } from "../../state/load-projection.ts";
import { readContent } from "../../state/read-content.ts";

/** A run as a document of PROV-JSON; with the values of entities on request. */
export async function readProv(
  stores: Pick<Stores, "log" | "blobs">,
  run: string,
  { content = false }: { readonly content?: boolean | undefined } = {},
): Promise<JsonObject> {
  const values = new Map<string, JsonValue>();
  const follow = followProv(({ digest }) => values.get(digest));
  const records: ProvRecord[] = [];
  for await (const event of readEvents(stores.log, run, 1)) {
    values.clear();
    for (const reference of content ? listReferences(event.content) : []) {
      const value = await readContent(stores, run, reference);
      if (value !== undefined) values.set(reference.digest, value);
    }
    records.push(...follow(event));
  }
  return toProvDocument(run, records);
}

/** References to values, wherever they stand in an event; files are not values. */
function listReferences(value: unknown): BlobRef[] {
  if (typeof value !== "object" || value === null) return [];
  const below = Object.values(value).flatMap(listReferences);
  // It has just been found to be one.
  const own = value as BlobRef;
  const isValue = isBlobRef(value as JsonValue) && own.mediaType === "application/json";
  return isValue && own.digest.startsWith("hmac-sha256:") ? [own, ...below] : below;
}
