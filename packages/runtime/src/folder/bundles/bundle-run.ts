/**
 * A run as one document: events and receipts line by line, the public keys, and its content where
 * that is wanted.
 */

import { type CollectedRun, collectRun } from "@turnseal/host";
import type { BlobStore } from "@turnseal/ports";
import { canonicalize, isPlainObject } from "@turnseal/protocol";
import { type BundleContent, type PublicKey, toBase64 } from "@turnseal/protocol/receipts";
import { readStoreTrust } from "../keys/store-trust.ts";
import type { StoreFolder } from "../store-folder.ts";

const CONTENT_PREFIX = "hmac-sha256:";

export interface RenderedBundle {
  readonly text: string;
  readonly hasContent: boolean;
}

/** Renders the document. It never has erased content. */
export async function bundleRun(
  run: string,
  folder: StoreFolder,
  { withContent }: { readonly withContent: boolean },
): Promise<RenderedBundle> {
  const { stores } = folder;
  const collected = await collectRun(stores, run);
  const { keys } = await readStoreTrust(folder);
  const content = withContent ? await collectContent(collected, stores.blobs) : undefined;
  return { text: renderBundle(collected, keys, content), hasContent: content !== undefined };
}

/** The document of what was collected. The same gives the same text. */
export function renderBundle(
  { run, events, receipts }: CollectedRun,
  keys: readonly PublicKey[],
  content?: BundleContent,
): string {
  const fields = [
    `"run":${canonicalize(run)}`,
    `"keys":${canonicalize([...keys])}`,
    `"events":${renderLines(events.map((event) => canonicalize(event)))}`,
    `"receipts":${renderLines(receipts.map((receipt) => canonicalize(receipt)))}`,
    ...(content === undefined ? [] : [`"content":${canonicalize(content)}`]),
  ];
  return `{\n${fields.join(",\n")}\n}\n`;
}

function renderLines(values: readonly string[]): string {
  return `[\n${values.join(",\n")}\n]`;
}

/** The blobs that its events name, and their key; undefined if they were erased. */
export async function collectContent(
  { run, events }: Pick<CollectedRun, "run" | "events">,
  blobs: Pick<BlobStore, "read" | "readKey">,
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
