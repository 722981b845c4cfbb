/** A request over plain HTTP, written anew for a checked address. */
import {
  type IncomingHttpHeaders,
  type IncomingMessage,
  request as requestHttp,
  type ServerResponse,
} from "node:http";
import { pipeline } from "node:stream";
import { pinAddress } from "../web/address-guard.ts";
import { PROXY_IDLE_MS } from "./limits.ts";
import type { Way } from "./open-tunnel.ts";

/** Headers of one connection, not of the request. */
const OF_CONNECTION = new Set([
  ...["connection", "keep-alive", "proxy-connection", "te", "trailer", "upgrade", "expect"],
  ...["host", "content-length", "transfer-encoding"],
]);

export function forwardRequest(
  asked: IncomingMessage,
  answered: ServerResponse,
  { url, address, meter, hold }: Way,
): void {
  const { method = "", headers } = asked;
  const sent = requestHttp(url, {
    ...{ method, agent: false, lookup: pinAddress(address) },
    headers: { ...passOn(headers), ...frame(headers), host: url.host, connection: "close" },
  });
  const fail = () => {
    sent.destroy();
    if (answered.headersSent) answered.destroy();
    else answered.writeHead(502, { connection: "close" }).end("turnseal: the host failed\n");
  };
  sent.setTimeout(PROXY_IDLE_MS, fail);
  sent.once("socket", hold);
  sent.on("error", fail);
  sent.once("upgrade", fail);
  answered.once("close", () => sent.destroy());
  sent.once("response", (answer) => {
    const { statusCode = 502, headers: got } = answer;
    answered.writeHead(statusCode, { ...passOn(got), connection: "close" });
    pipeline(answer, meter.measure(), answered, () => {});
  });
  pipeline(asked, meter.measure(), sent, (error) => {
    if (error != null) fail();
  });
}

/** All but the headers of the connection, and those that `Connection` names. */
function passOn(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const named = new Set((headers.connection ?? "").toLowerCase().split(/\s*,\s*/));
  return Object.fromEntries(
    Object.entries(headers).filter(
      ([name]) => !OF_CONNECTION.has(name) && !named.has(name) && !name.startsWith("proxy-"),
    ),
  );
}

/** The parser has refused a request with two lengths. */
function frame({ "content-length": length, "transfer-encoding": coding }: IncomingHttpHeaders) {
  if (coding !== undefined) return { "transfer-encoding": "chunked" };
  return length === undefined ? {} : { "content-length": length };
}
