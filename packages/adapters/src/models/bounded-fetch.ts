/**
 * How backends are reached that are bound here.
 *
 * 1. A key goes to the host it was set for: a redirect is an answer, not a new address.
 * 2. An endless answer is cut off at a limit, before it fills the memory.
 * 3. The connection of an answer that nobody reads is closed: a server that sends on would hold it.
 * 4. Node's own `fetch` is not used: a server that names more than five encodings and then breaks
 *    off ends the process by an error that cannot be caught.
 */
import type { IncomingMessage } from "node:http";
import { pipeline, Readable } from "node:stream";
import { createBrotliDecompress, createGunzip, createInflate } from "node:zlib";
import { limitBytes, toResponse } from "@turnseal/documents/answers";
import { ANSWER_BYTES_MAX } from "./answer-limits.ts";
import { answerError } from "./to-model-error.ts";

/** Fetches without following, and reads at most `ANSWER_BYTES_MAX` bytes. */
export async function boundedFetch(
  address: string | URL | Request,
  init?: RequestInit,
): Promise<Response> {
  const request = new Request(address, init);
  const body = Buffer.from(await request.arrayBuffer());
  const incoming = await send(request, body);
  try {
    return toResponse(incoming, toBody);
  } catch {
    incoming.destroy();
    throw answerError("MODEL_ANSWER_INVALID", "the backend");
  }
}

/** How long a connection may take to be made, with its keys. */
export const CONNECT_MS_MAX = 10_000;

const decoders = {
  gzip: createGunzip,
  "x-gzip": createGunzip,
  deflate: createInflate,
  br: createBrotliDecompress,
} as const;

async function send(request: Request, body: Buffer): Promise<IncomingMessage> {
  const { method, headers, signal, url } = request;
  const isSecure = url.startsWith("https:");
  // Loaded at the first request: `node:http` brings Node's own `fetch` along, a third of a start.
  const { request: ask } = await (isSecure ? import("node:https") : import("node:http"));
  const given = {
    ...{ accept: "*/*", "user-agent": "node", ...Object.fromEntries(headers) },
    "accept-encoding": "gzip, deflate, br",
    ...(body.length === 0 && method === "GET" ? {} : { "content-length": body.length }),
  };
  return new Promise((resolve, reject) => {
    const sent = ask(url, { method, headers: given, signal });
    sent.once("response", resolve);
    // The request wants no other protocol. Without this, it would never end.
    sent.once("upgrade", (_, socket) => {
      socket.destroy();
      reject(answerError("MODEL_ANSWER_INVALID", "the backend"));
    });
    // Also after the answer has begun: then its body says so, too.
    sent.on("error", (cause) =>
      reject(signal.aborted ? signal.reason : new TypeError("fetch failed", { cause })),
    );
    sent.once("socket", (socket) => {
      if (!socket.connecting) return;
      const late = Object.assign(new Error("no connection in time"), { code: "CONNECT_TIMEOUT" });
      const timer = setTimeout(() => sent.destroy(late), CONNECT_MS_MAX);
      const stop = (): void => clearTimeout(timer);
      socket.once(isSecure ? "secureConnect" : "connect", stop).once("close", stop);
    });
    sent.end(body);
  });
}

function toBody(incoming: IncomingMessage): ReadableStream<Uint8Array> {
  const limited = limitBytes(ANSWER_BYTES_MAX, () =>
    answerError("MODEL_ANSWER_TOO_LARGE", "the backend"),
  );
  // Made before anything can fail: an unhandled stream error ends the process.
  const body = Readable.toWeb(limited) as ReadableStream<Uint8Array>;
  const named = incoming.headers["content-encoding"]?.trim().toLowerCase() ?? "identity";
  const ignore = (): void => {};
  if (named === "" || named === "identity") pipeline(incoming, limited, ignore);
  else if (isKnown(named)) pipeline(incoming, decoders[named](), limited, ignore);
  else throw new TypeError("the answer has an encoding that no request names");
  return body;
}

function isKnown(named: string): named is keyof typeof decoders {
  return Object.hasOwn(decoders, named);
}
