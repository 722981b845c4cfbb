/**
 * Requests to a server behind an address.
 *
 * 1. No redirect is followed: it would take the secrets elsewhere.
 * 2. No stream is held open between calls, so that an idle server holds nothing here.
 * 3. An answer past its limit is cut off.
 * 4. Node's own `fetch` is not used: a server that names more than five encodings and then breaks
 *    off ends the process by an error that cannot be caught. An encoded answer is refused.
 */
import type { IncomingMessage } from "node:http";
import { pipeline, Readable } from "node:stream";
import type { FetchLike, Transport } from "@modelcontextprotocol/client";
import { limitBytes, toResponse } from "@turnseal/documents/answers";
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
  return async (url, init = {}) => {
    if (new URL(url).origin !== origin) throw new Error("the request would leave the server");
    if (init.method === "GET") return new Response(null, { status: 405 });
    const incoming = await send(new URL(url), init);
    try {
      checkAnswer(incoming);
      return toResponse(incoming, toBody);
    } catch (error) {
      incoming.destroy();
      throw error;
    }
  };
}

async function send(url: URL, init: RequestInit): Promise<IncomingMessage> {
  const isSecure = url.protocol === "https:";
  const { request } = await (isSecure ? import("node:https") : import("node:http"));
  const { method, headers, body } = await readInit(url, init);
  const { signal } = init;
  signal?.throwIfAborted();
  return new Promise((resolve, reject) => {
    const sent = request(url, { method, headers, ...(signal == null ? {} : { signal }) });
    sent.once("response", resolve);
    // The request wants no other protocol. Without this, it would never end.
    sent.once("upgrade", (_, socket) => {
      socket.destroy();
      reject(new Error("the server answers in another protocol"));
    });
    // Also after the answer has begun: then its body says so, too.
    sent.on("error", (cause) =>
      reject(signal?.aborted === true ? signal.reason : new TypeError("fetch failed", { cause })),
    );
    sent.end(body);
  });
}

async function readInit(url: URL, { method = "GET", headers, body = null }: RequestInit) {
  const given = new Request(url, { method, body, ...(headers === undefined ? {} : { headers }) });
  const bytes = Buffer.from(await given.arrayBuffer());
  return {
    method,
    headers: {
      ...{ accept: "*/*", "user-agent": "node", ...Object.fromEntries(given.headers) },
      ...{ "accept-encoding": "identity", "content-length": bytes.length },
    },
    body: bytes,
  };
}

/** Refuses redirects and encodings, which no request asks for. */
function checkAnswer(incoming: IncomingMessage): void {
  const { statusCode: status = 0 } = incoming;
  if (status >= 300 && status < 400)
    throw new Error("the server redirects to another address, which is not followed");
  const encoding = incoming.headers["content-encoding"]?.trim().toLowerCase() ?? "";
  if (encoding !== "" && encoding !== "identity")
    throw new Error("the server encodes its answer, which no request asks for");
}

function toBody(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  const limited = limitBytes(MESSAGE_BYTES_MAX, () => new Error("the answer is too long"));
  // Made before anything can fail: an unhandled stream error ends the process.
  const body = Readable.toWeb(limited) as ReadableStream<Uint8Array>;
  pipeline(incoming, limited, () => {});
  return body;
}
