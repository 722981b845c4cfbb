/**
 * A run as one document: events and receipts line by line, the public keys, and its content where
 * that is wanted.
 */

import { collectRun } from "@turnseal/host";
import type { BlobStore } from "@turnseal/ports";
import { canonicalize, isPlainObject, type LoopEvent } from "@turnseal/protocol";
import { type BundleContent, toBase64 } from "@turnseal/protocol/receipts";
import { readPublicKeys } from "./open-keys.ts";
import type { StoreFolder } from "./store-folder.ts";

const CONTENT_PREFIX = "hmac-sha256:";

export interface RenderedBundle {
  readonly text: string;
  readonly hasContent: boolean;
}

/** Renders the document. Content that was erased is not in it, whatever is wanted. */
export async function bundleRun(
  run: string,
  { path, stores }: StoreFolder,
  { withContent }: { readonly withContent: boolean },
): Promise<RenderedBundle> {
  const { events, receipts } = await collectRun(stores, run);
  const keys = await readPublicKeys(path);
  const content = withContent ? await collectContent(run, events, stores.blobs) : undefined;
  const fields = [
    `"run":${canonicalize(run)}`,
    `"keys":${canonicalize([...keys])}`,
    `"events":${renderLines(events.map((event) => canonicalize(event)))}`,
    `"receipts":${renderLines(receipts.map((receipt) => canonicalize(receipt)))}`,
    ...(content === undefined ? [] : [`"content":${canonicalize(content)}`]),
  ];
  return { text: `{\n${fields.join(",\n")}\n}\n`, hasContent: content !== undefined };
}

function renderLines(values: readonly string[]): string {
  return `[\n${values.join(",\n")}\n]`;
}

async function collectContent(
  run: string,
  events: readonly LoopEvent[],
  blobs: BlobStore,
): Promise<BundleContent | undefined> {
  if (events.length === 0) return undefined;
  const key = await blobs.readKey(run);
  if (key === undefined) return undefined;
  const found: Record<string, string> = {};
  for (const digest of new Set(events.flatMap(({ content }) => listDigests(content)))) {
    const bytes = await blobs.read(run, digest);
    if (bytes !== undefined) found[digest] = toBase64(bytes);
  }
  return { key: toBase64(key), blobs: found };
}

/** The digests of content that an event names, wherever they stand in it. */
function listDigests(value: unknown): string[] {
  if (typeof value === "string") return value.startsWith(CONTENT_PREFIX) ? [value] : [];
  if (Array.isArray(value)) return value.flatMap(listDigests);
  return isPlainObject(value) ? Object.values(value).flatMap(listDigests) : [];
}
