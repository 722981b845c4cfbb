/**
 * Files of a run: given with a message, or before the run is started, and given back to whoever may
 * see the run. Whatever is in them, no browser shows it as a page.
 */
import type { FileToTake } from "@turnseal/ports";
import type { FileRef } from "@turnseal/protocol/files";
import type { ServerLimits } from "../limits.ts";
import { CLIENT_KEY_LENGTH_MAX } from "../limits.ts";
import type { ServerApp } from "./environment.ts";
import { readUpload } from "./read-upload.ts";
import { refuse, toResponse } from "./refusal.ts";

interface Upload {
  keep(file: FileToTake): Promise<FileRef>;
  readonly request: Request;
  readonly name: string | undefined;
}

export function addFiles(app: ServerApp, { uploadsMax }: Pick<ServerLimits, "uploadsMax">): void {
  let open = 0;
  const take = async ({ keep, request, name }: Upload): Promise<Response> => {
    if (open >= uploadsMax) return toResponse(refuse("UPLOADS_EXHAUSTED"));
    open += 1;
    try {
      const read = await readUpload(request, name);
      if (read.kind === "refused") return toResponse(read.refusal);
      return Response.json(await keep(read.file), { status: 201 });
    } finally {
      open -= 1;
    }
  };
  app.post("/v1/starts/:key/files", (context) => {
    const { host, caller } = context.var;
    const key = context.req.param("key");
    if (key.length > CLIENT_KEY_LENGTH_MAX) return toResponse(refuse("BODY_REFUSED"));
    const keep = (file: FileToTake) => host.keepStartFile(`${caller.tenant}/${key}`, file);
    return take({ keep, request: context.req.raw, name: context.req.query("name") });
  });
  app.post("/v1/runs/:run/files", (context) => {
    const [run, name] = [context.req.param("run"), context.req.query("name")];
    const keep = (file: FileToTake) => context.var.host.keepFile(run, file);
    return take({ keep, request: context.req.raw, name });
  });
  app.get("/v1/runs/:run/files/:file", async (context) => {
    const { run, file: digest } = context.req.param();
    const isDigest = /^hmac-sha256:[0-9a-f]{64}$/.test(digest);
    const file = isDigest ? await context.var.host.readFile(run, digest) : undefined;
    if (file === undefined) return toResponse(refuse("FILE_UNKNOWN"));
    return new Response(new Uint8Array(file.bytes), {
      headers: { "content-type": file.mediaType, "content-disposition": "attachment" },
    });
  });
}
