/**
 * One request to a cell, as the client sent it, and its answer as it comes. It keeps only the part
 * that it read to find the cell.
 */
import {
  Agent as HttpAgent,
  type IncomingMessage,
  request as requestHttp,
  type ServerResponse,
} from "node:http";
import { Agent as HttpsAgent, request as requestHttps } from "node:https";
import type { Readable } from "node:stream";
import { pipeline } from "node:stream/promises";
import type { Cell } from "./cells-file.ts";
import type { HeldBytes } from "./hold-bytes.ts";

export interface CellRequest {
  readonly method: string;
  /** The path and the query, as they were sent. */
  readonly path: string;
  /** Names and values in turns, as they came. */
  readonly headers: readonly string[];
  readonly body?: Buffer | Readable;
}

export interface SendOptions {
  readonly signal?: AbortSignal;
  /** How long the cell has until its answer begins. */
  readonly headMs?: number;
}

/** A cell that asks a provider takes its time; a dead cell shows in its health. */
const HEAD_MS = 120_000;

const agents = {
  "http:": new HttpAgent({ keepAlive: true }),
  "https:": new HttpsAgent({ keepAlive: true }),
} as const;

/** Headers of one connection, which are not forwarded. */
const hopHeaders: ReadonlySet<string> = new Set([
  ...["connection", "keep-alive", "proxy-authenticate", "proxy-authorization", "proxy-connection"],
  ...["te", "trailer", "transfer-encoding", "upgrade", "expect"],
]);

/** Resolves with the beginning of the answer; rejects where there is none. */
export function sendToCell(
  { url }: Cell,
  { method, path, headers, body }: CellRequest,
  { signal, headMs = HEAD_MS }: SendOptions = {},
): Promise<IncomingMessage> {
  const isSecure = url.protocol === "https:";
  return new Promise((resolve, reject) => {
    const request = (isSecure ? requestHttps : requestHttp)({
      hostname: url.hostname.replace(/^\[|\]$/g, ""),
      ...(url.port === "" ? {} : { port: url.port }),
      ...{ method, path, headers: [...headers], setHost: false },
      agent: agents[isSecure ? "https:" : "http:"],
      ...(signal === undefined ? {} : { signal }),
    });
    const timer = setTimeout(() => request.destroy(new Error("no answer in time")), headMs);
    request.once("close", () => clearTimeout(timer));
    request.once("error", reject);
    request.once("response", (response) => {
      clearTimeout(timer);
      resolve(response);
    });
    if (body === undefined || Buffer.isBuffer(body)) request.end(body);
    else pipeline(body, request).catch(() => request.destroy());
  });
}

/**
 * The headers that go on to a cell. The length of the body is always set, even if the client names
 * its header as one of the connection. Without a length, the cell would read the body as the next
 * request.
 */
export function headersToSend({ rawHeaders, headers }: IncomingMessage, body?: Buffer): string[] {
  const kept = pairs(withoutHops(rawHeaders, headers.connection));
  const others = kept.filter(([name]) => name.toLowerCase() !== "content-length").flat();
  const length = body === undefined ? headers["content-length"] : String(body.length);
  if (length !== undefined) return [...others, "content-length", length];
  const isChunked = headers["transfer-encoding"] !== undefined;
  return isChunked ? [...others, "transfer-encoding", "chunked"] : others;
}

/**
 * The answer of a cell, as it comes. If the client goes away, the request to the cell ends, too.
 */
export async function passAnswer(
  response: IncomingMessage,
  outgoing: ServerResponse,
): Promise<void> {
  const { statusCode = 502, rawHeaders, headers } = response;
  outgoing.writeHead(statusCode, withoutHops(rawHeaders, headers.connection));
  // A stream has begun before its first word.
  outgoing.flushHeaders();
  await pipeline(response, outgoing);
}

/** All of what comes; undefined if it is longer, and then no more is read. */
export async function readUpTo(
  stream: Readable,
  bytesMax: number,
  held?: Pick<HeldBytes, "add">,
): Promise<Buffer | undefined> {
  const chunks: Buffer[] = [];
  let size = 0;
  // A client that sends too much must still get its refusal.
  for await (const chunk of stream.iterator({ destroyOnReturn: false })) {
    size += (chunk as Buffer).length;
    if (size > bytesMax) return undefined;
    held?.add((chunk as Buffer).length);
    chunks.push(chunk as Buffer);
  }
  return Buffer.concat(chunks);
}

function withoutHops(raw: readonly string[], connection = ""): string[] {
  const named = new Set(connection.split(",").map((name) => name.trim().toLowerCase()));
  return pairs(raw)
    .filter(([name]) => !hopHeaders.has(name.toLowerCase()) && !named.has(name.toLowerCase()))
    .flat();
}

function pairs(raw: readonly string[]): [string, string][] {
  const found: [string, string][] = [];
  for (let index = 0; index + 1 < raw.length; index += 2)
    found.push([raw[index] ?? "", raw[index + 1] ?? ""]);
  return found;
}
