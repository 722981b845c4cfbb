/**
 * The message that starts a run is its input, and none of its inbox. Its key is kept with the
 * content of the run, so that a repeated message is recognised.
 */
import type { Stores } from "@turnseal/ports";
import { type ContentDigest, hmacSha256Hex } from "@turnseal/protocol";
import { createRunKey, type FilePorts } from "../stores/open-run-files.ts";

/**
 * Keeps the key of the message before the start is sent, so that no crash between the two loses it.
 */
export async function keepFirstMessage(
  run: string,
  message: string,
  { stores: { blobs }, ids }: FilePorts,
): Promise<void> {
  const key = await blobs.keepKey(run, createRunKey(run, ids));
  if (key === undefined) return;
  const bytes = render(message);
  const digest = digestUnder(key, bytes);
  await blobs.put(run, { digest, size: bytes.length, mediaType: "application/json", bytes });
}

/** True for a message with which the run was to be started; another start may have been first. */
export async function isFirstMessage(
  run: string,
  message: string,
  { blobs }: Pick<Stores, "blobs">,
): Promise<boolean> {
  const key = await blobs.readKey(run);
  if (key === undefined) return false;
  return (await blobs.read(run, digestUnder(key, render(message)))) !== undefined;
}

function digestUnder(key: Uint8Array, bytes: Uint8Array): ContentDigest {
  return `hmac-sha256:${hmacSha256Hex(key, bytes)}`;
}

/** Other content of a run is no such list. */
function render(message: string): Uint8Array {
  return new TextEncoder().encode(JSON.stringify(["first message", message]));
}
