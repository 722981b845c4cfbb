/**
 * Large answers: files, and pages of messages. Bytes that a client has not read yet stay in memory,
 * so their total has a maximum and each tenant may use only a part of it. A client that does not
 * read cannot keep others from reading.
 */
import type { Context } from "hono";
import type { ServerLimits } from "../limits.ts";
import type { ServerEnvironment } from "./environment.ts";
import { refuse, toResponse } from "./refusal.ts";
import { sendBytes } from "./send-bytes.ts";
import { createShare } from "./tenant-share.ts";

export type GiveBytes = (
  bytes: Uint8Array<ArrayBuffer>,
  headers: Readonly<Record<string, string>>,
  context: Context<ServerEnvironment>,
) => Response;

export function createGiver(limits: ServerLimits): GiveBytes {
  const { downloadBytesMax: most, tenantDownloadBytesMax: tenantMost, downloadMs } = limits;
  const open = createShare({ most, tenantMost });
  return (bytes, own, { req, env, var: { caller } }) => {
    const headers = { ...own, "content-length": String(bytes.length) };
    if (req.raw.method === "HEAD") return new Response(null, { headers });
    const onEnd = open.take(caller.tenant, bytes.length);
    if (onEnd === undefined) return toResponse(refuse("DOWNLOADS_EXHAUSTED"));
    const { outgoing } = env ?? {};
    const destroy = outgoing === undefined ? undefined : () => void outgoing.destroy();
    return new Response(sendBytes(bytes, { withinMs: downloadMs, onEnd, destroy }), { headers });
  };
}

/** The same for a page of JSON. */
export function giveJson(
  give: GiveBytes,
  value: object,
  context: Context<ServerEnvironment>,
): Response {
  const bytes = new TextEncoder().encode(JSON.stringify(value));
  return give(bytes, { "content-type": "application/json" }, context);
}
