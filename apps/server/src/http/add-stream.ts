/** Watching a run: one response that goes on for as long as somebody reads it. */
import { toSink, watchRun } from "@turnseal/sessions";
import { findPlace } from "./add-runs.ts";
import type { ServerApp } from "./environment.ts";
import type { StreamRun } from "./open-run-stream.ts";
import { parseFields } from "./parse-body.ts";
import { refuse, toResponse } from "./refusal.ts";
import { streamQuery } from "./schemas.ts";

const headers = {
  "content-type": "text/event-stream; charset=utf-8",
  // Set so that the HTTP server sends the first bytes at once.
  "transfer-encoding": "chunked",
  // Proxies that collect before they pass on would hold back what is live.
  "x-accel-buffering": "no",
};

export function addStream(app: ServerApp, streamRun: StreamRun): void {
  app.get("/v1/runs/:run/stream", async (context) => {
    const query = parseFields(context.req.query(), streamQuery);
    if (query.kind === "refused") return toResponse(query.refusal);
    const run = context.req.param("run");
    const after = context.req.header("last-event-id") ?? query.value.after;
    const found = await findPlace(context.var.host, run, after);
    if (found.kind === "refused") return toResponse(refuse("CURSOR_REFUSED"));
    return streamRun(context, {
      ...{ run, headers },
      watch: (stream, watched) => watchRun(toSink(stream), { ...watched, after: found.place }),
    });
  });
}
