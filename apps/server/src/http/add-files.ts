/**
 * Routes of files: with a message, before the start of a run, and back to callers who may see the
 * run. A browser never shows them as a page.
 */
import type { FileToTake } from "@turnseal/ports";
import type { FileRef } from "@turnseal/protocol/files";
import { runKey } from "@turnseal/sessions";
import { CLIENT_KEY_LENGTH_MAX, type ServerLimits } from "../limits.ts";
import type { ServerApp } from "./environment.ts";
import type { GiveBytes } from "./give-bytes.ts";
import { readUpload } from "./read-upload.ts";
import { refuse, toResponse } from "./refusal.ts";
import { createRequestWindow } from "./request-window.ts";
import { createShare } from "./tenant-share.ts";

/** Takes a file in, where there is room for one more on its way. */
export type KeepUpload = (upload: Upload) => Promise<Response>;

interface Upload {
  readonly tenant: string;
  keep(file: FileToTake): Promise<FileRef>;
  readonly request: Request;
  readonly name: string | undefined;
}

export function addFiles(app: ServerApp, take: KeepUpload, give: GiveBytes): void {
  app.post("/v1/starts/:key/files", (context) => {
    const { host, caller } = context.var;
    const key = context.req.param("key");
    if (key.length > CLIENT_KEY_LENGTH_MAX) return toResponse(refuse("BODY_REFUSED"));
    const { tenant } = caller;
    const keep = async (file: FileToTake) =>
      host.keepStartFile(await runKey(host, tenant, key), file);
    return take({ tenant, keep, request: context.req.raw, name: context.req.query("name") });
  });
  app.post("/v1/runs/:run/files", (context) => {
    const [run, name] = [context.req.param("run"), context.req.query("name")];
    const keep = (file: FileToTake) => context.var.host.keepFile(run, file);
    const { tenant } = context.var.caller;
    return take({ tenant, keep, request: context.req.raw, name });
  });
  app.get("/v1/runs/:run/files/:file", async (context) => {
    const { run, file: digest } = context.req.param();
    const isDigest = /^hmac-sha256:[0-9a-f]{64}$/.test(digest);
    const file = isDigest ? await context.var.host.readFile(run, digest) : undefined;
    if (file === undefined) return toResponse(refuse("FILE_UNKNOWN"));
    const headers = { "content-type": file.mediaType, "content-disposition": "attachment" };
    return give(new Uint8Array(file.bytes), headers, context);
  });
}

/** Takes files in: a few at a time, and so many bytes of a tenant. */
export function createUploads(limits: ServerLimits): KeepUpload {
  const { uploadsMax: most, tenantUploadsMax: tenantMost, uploadBytesMax, windowMs } = limits;
  const open = createShare({ most, tenantMost });
  const bytes = createRequestWindow({ requestsMax: uploadBytesMax, windowMs });
  return async ({ tenant, keep, request, name }) => {
    const end = open.take(tenant, 1);
    if (end === undefined) return toResponse(refuse("UPLOADS_EXHAUSTED"));
    try {
      const read = await readUpload(request, name);
      if (read.kind === "refused") return toResponse(read.refusal);
      const retryAfterS = bytes.count(tenant, Date.now(), read.file.bytes.length);
      if (retryAfterS !== undefined)
        return toResponse(refuse("UPLOADS_EXHAUSTED", { retryAfterS }));
      return Response.json(await keep(read.file), { status: 201 });
    } finally {
      end();
    }
  };
}
