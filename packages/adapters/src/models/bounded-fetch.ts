/**
 * How backends are reached that are bound here.
 *
 * 1. A key goes to the host it was set for: a redirect is an answer, not a new address.
 * 2. An answer without an end is given up at a limit, before it fills the memory.
 */
import { ANSWER_BYTES_MAX } from "./answer-limits.ts";
import { answerError } from "./to-model-error.ts";

/** Fetches without following, and reads at most `ANSWER_BYTES_MAX` bytes. */
export async function boundedFetch(address: string | URL, init?: RequestInit): Promise<Response> {
  const response = await fetch(address, { ...init, redirect: "manual" });
  if (response.body === null) return response;
  const { status, statusText, headers } = response;
  return new Response(response.body.pipeThrough(limitBytes()), { status, statusText, headers });
}

function limitBytes(): TransformStream<Uint8Array<ArrayBuffer>, Uint8Array<ArrayBuffer>> {
  let bytes = 0;
  return new TransformStream({
    transform: (chunk, controller) => {
      bytes += chunk.byteLength;
      if (bytes > ANSWER_BYTES_MAX) throw answerError("MODEL_ANSWER_TOO_LARGE", "the backend");
      controller.enqueue(chunk);
    },
  });
}
