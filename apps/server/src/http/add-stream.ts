/** Watching a run: one response that goes on for as long as somebody reads it. */
import type { ServerLimits } from "../limits.ts";
import { createStreams, type OpenStreams } from "../stream/open-streams.ts";
import { createTails } from "../stream/open-tails.ts";
import { watchRun } from "../stream/watch-run.ts";
import { findPlace } from "./add-runs.ts";
import type { ServerApp } from "./environment.ts";
import { parseFields } from "./parse-body.ts";
import { refuse, toResponse } from "./refusal.ts";
import { streamQuery } from "./schemas.ts";

const streamHeaders = {
  "content-type": "text/event-stream; charset=utf-8",
  // Said so that what serves it does not wait for more before it sends the first.
  "transfer-encoding": "chunked",
  // Proxies that collect before they pass on would hold back what is live.
  "x-accel-buffering": "no",
};

export function addStream(app: ServerApp, limits: ServerLimits): OpenStreams {
  const streams = createStreams(limits);
  const tails = createTails(limits.looksMax);
  app.get("/v1/runs/:run/stream", async (context) => {
    const query = parseFields(context.req.query(), streamQuery);
    if (query.kind === "refused") return toResponse(query.refusal);
    const { host, caller } = context.var;
    const run = context.req.param("run");
    const after = context.req.header("last-event-id") ?? query.value.after;
    const found = await findPlace(host, run, after);
    if (found.kind === "refused") return toResponse(refuse("CURSOR_REFUSED"));
    let leave = (): void => {};
    const { outgoing } = context.env ?? {};
    const stream = streams.open(caller, {
      onEnd: () => leave(),
      ...(outgoing === undefined ? {} : { destroy: () => void outgoing.destroy() }),
    });
    if (stream === undefined) return toResponse(refuse("STREAMS_EXHAUSTED"));
    const { tail, release } = tails.hold({ host, tenant: caller.tenant, run });
    const { bufferBytesMax } = limits;
    const watch = watchRun(stream, { host, run, after: found.place, tail, bufferBytesMax });
    leave = () => {
      watch.leave();
      release();
    };
    // A store that does not answer now may do so when the reader comes back.
    watch.caughtUp.catch(() => stream.cut());
    return new Response(stream.body, { headers: streamHeaders });
  });
  return streams;
}
