/** One request over HTTP to a checked address, within limits. It follows no redirect. */
import { type IncomingMessage, request as requestHttp } from "node:http";
import { request as requestHttps } from "node:https";
import { notDone } from "@turnseal/protocol/authoring";
import { pinAddress, resolveHost } from "./address-guard.ts";
import { ANSWER_BYTES_MAX, REQUEST_MS_MAX, URL_LENGTH_MAX } from "./limits.ts";

export interface WebRequest {
  readonly url: URL;
  readonly method: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

export interface WebAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly bytes: Buffer;
  readonly isCut: boolean;
}

export interface Reach {
  /** Hosts with a port that may have a private address. */
  readonly privateHosts: ReadonlySet<string>;
  readonly signal: AbortSignal;
}

/** Parses a URL of a model. Throws where it is none that a tool sends a request to. */
export function parseUrl(text: string): URL {
  const url = text.length <= URL_LENGTH_MAX ? URL.parse(text) : null;
  if (url === null)
    throw notDone(`the URL is invalid, or has more than ${URL_LENGTH_MAX} characters`);
  if (url.protocol !== "http:" && url.protocol !== "https:")
    throw notDone("the URL is refused: it is neither http nor https");
  if (url.username !== "" || url.password !== "")
    throw notDone("the URL is refused: it holds a user or a password");
  return url;
}

/** The host and port of a URL, as a term of a grant has them. */
export function destinationOf({ hostname, port, protocol }: URL): string {
  return `${hostname.replace(/\.$/, "")}:${port || (protocol === "https:" ? 443 : 80)}`;
}

/** Throws before anything is sent where the host is refused. */
export async function sendRequest(asked: WebRequest, reach: Reach): Promise<WebAnswer> {
  const { url, method, headers, body } = asked;
  const isTrusted = reach.privateHosts.has(destinationOf(url));
  const resolved = await resolveHost(url.hostname, isTrusted);
  if (resolved.kind === "refused") throw notDone(`the request was not sent: ${resolved.why}`);
  const signal = AbortSignal.any([reach.signal, AbortSignal.timeout(REQUEST_MS_MAX)]);
  signal.throwIfAborted();
  const send = url.protocol === "https:" ? requestHttps : requestHttp;
  return new Promise((resolve, reject) => {
    const sent = send(url, {
      ...{ method, signal, agent: false, headers: { ...headers, "accept-encoding": "identity" } },
      lookup: pinAddress(resolved.address),
    });
    sent.on("response", (message) => void readAnswer(message).then(resolve, reject));
    sent.on("error", (error) => reject(isUnsent(error) ? notDone(NOT_REACHED) : error));
    sent.end(body);
  });
}

const NOT_REACHED = "the request was not sent: the host cannot be reached";

/** True where no connection was made, so that nobody has read the request. */
function isUnsent(error: NodeJS.ErrnoException): boolean {
  return ["ECONNREFUSED", "EHOSTUNREACH", "ENETUNREACH"].includes(error.code ?? "");
}

async function readAnswer(message: IncomingMessage): Promise<WebAnswer> {
  const encoding = message.headers["content-encoding"] ?? "identity";
  if (encoding !== "identity") {
    message.destroy();
    throw new TypeError("the answer has an encoding that was not asked for");
  }
  const parts: Buffer[] = [];
  let bytes = 0;
  for await (const part of message as AsyncIterable<Buffer>) {
    parts.push(part.subarray(0, ANSWER_BYTES_MAX - bytes));
    bytes += part.length;
    if (bytes > ANSWER_BYTES_MAX) break;
  }
  const headers = Object.entries(message.headers).flatMap(([name, value]) =>
    typeof value === "string" ? [[name, value]] : [],
  );
  return {
    ...{ status: message.statusCode ?? 0, headers: Object.fromEntries(headers) },
    ...{ bytes: Buffer.concat(parts), isCut: bytes > ANSWER_BYTES_MAX },
  };
}
