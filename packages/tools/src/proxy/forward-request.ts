/** A request over plain HTTP, written anew for a checked address. */
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestHttp,
  type ServerResponse,
} from "node:http";
import { pipeline } from "node:stream";
import { pinAddress } from "../web/address-guard.ts";
import { guard } from "./guard.ts";
import { PROXY_IDLE_MS } from "./limits.ts";
import type { Way } from "./open-tunnel.ts";

/** Headers of one connection, not of the request. */
const OF_CONNECTION = new Set([
  ...["connection", "keep-alive", "proxy-connection", "te", "trailer", "upgrade", "expect"],
  ...["host", "content-length", "transfer-encoding"],
]);
/** Headers that would exchange the method after its verb was checked. */
const OF_METHOD = new Set(["x-http-method-override", "x-method-override", "x-http-method"]);
const FAILED = "turnseal: the host failed\n";

export function forwardRequest(
  asked: IncomingMessage,
  answered: ServerResponse,
  { url, address, hold }: Way,
): void {
  const { method = "", headers } = asked;
  const sent = requestHttp(url, {
    ...{ method, agent: false, lookup: pinAddress(address) },
    headers: {
      ...withoutOverride(passOn(headers)),
      ...frame(headers),
      ...{ host: url.host, connection: "close" },
    },
  });
  const fail = () => {
    sent.destroy();
    failAnswer(answered);
  };
  sent.setTimeout(PROXY_IDLE_MS, fail);
  sent.once("socket", guard(hold, fail));
  sent.on("error", fail);
  sent.once("upgrade", fail);
  answered.once("close", () => sent.destroy());
  const onAnswer = (answer: IncomingMessage) => {
    const { statusCode = 0, headers: got } = answer;
    answer.on("error", fail);
    if (statusCode < 200 || statusCode > 599) return fail();
    answered.writeHead(statusCode, { ...passOn(got), connection: "close" });
    pipeline(answer, answered, () => {});
  };
  sent.once("response", guard(onAnswer, fail));
  pipeline(asked, sent, (error) => {
    if (error != null) fail();
  });
}

/** Tells the command that its host failed. Never throws. */
export function failAnswer(answered: ServerResponse): void {
  try {
    if (answered.headersSent) answered.destroy();
    else
      answered
        .writeHead(502, "Bad Gateway", { connection: "close", "content-length": FAILED.length })
        .end(FAILED);
  } catch {
    answered.destroy();
  }
}

/** All but the headers of the connection, and those that `Connection` names. */
function passOn(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = new Set((headers.connection ?? "").toLowerCase().split(/\s*,\s*/));
  return keep(
    headers,
    (name) => !OF_CONNECTION.has(name) && !named.has(name) && !name.startsWith("proxy-"),
  );
}

/** Many servers read `_` in the name of a header as `-`. */
function withoutOverride(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  return keep(headers, (name) => !OF_METHOD.has(name.replaceAll("_", "-")));
}

function keep(headers: IncomingHttpHeaders, isKept: (name: string) => boolean) {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => isKept(name)));
}

/** The parser has refused a request with two lengths. */
function frame({ "content-length": length, "transfer-encoding": coding }: IncomingHttpHeaders) {
  if (coding !== undefined) return { "transfer-encoding": "chunked" };
  return length === undefined ? {} : { "content-length": length };
}
