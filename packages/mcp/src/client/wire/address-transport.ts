/**
 * Requests to a server behind an address.
 *
 * 1. No redirect is followed: it would take the secrets elsewhere.
 * 2. No stream is held open between calls, so that an idle server holds nothing here.
 * 3. An answer past its limit is cut off.
 */
import type { FetchLike, Transport } from "@modelcontextprotocol/client";
import { MESSAGE_BYTES_MAX } from "../limits.ts";
import type { Sdk } from "./load-sdk.ts";

export function addressTransport(
  sdk: Sdk,
  url: string,
  headers: Readonly<Record<string, string>>,
): Transport {
  return new sdk.StreamableHTTPClientTransport(new URL(url), {
    requestInit: { headers },
    fetch: boundedFetch(new URL(url).origin),
    // A broken stream is reported as one, and the call is not resumed in silence.
    reconnectionOptions: {
      ...{ maxRetries: 0, initialReconnectionDelay: 1 },
      ...{ maxReconnectionDelay: 1, reconnectionDelayGrowFactor: 1 },
    },
  });
}

function boundedFetch(origin: string): FetchLike {
  return async (url, init) => {
    if (new URL(url).origin !== origin) throw new Error("the request would leave the server");
    if (init?.method === "GET") return new Response(null, { status: 405 });
    const response = await fetch(url, { ...init, redirect: "manual" });
    if (response.status >= 300 && response.status < 400) {
      await response.body?.cancel();
      throw new Error("the server redirects to another address, which is not followed");
    }
    const { status, statusText, headers } = response;
    const body = response.body?.pipeThrough(countBytes()) ?? null;
    return new Response(body, { status, statusText, headers });
  };
}

function countBytes(): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform: (chunk, controller) => {
      bytes += chunk.length;
      if (bytes > MESSAGE_BYTES_MAX) controller.error(new Error("the answer is too long"));
      else controller.enqueue(chunk);
    },
  });
}
