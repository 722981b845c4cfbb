/** One response that goes on for as long as a run is told, to whoever reads it. */
import type { EnvelopePlace } from "@turnseal/protocol/events";
import type { Context } from "hono";
import type { ServerLimits } from "../limits.ts";
import type { EventStream } from "../stream/event-stream.ts";
import type { OpenStreams } from "../stream/open-streams.ts";
import type { OpenTails } from "../stream/open-tails.ts";
import { type RunSink, watchRun } from "../stream/watch-run.ts";
import type { ServerEnvironment } from "./environment.ts";
import { refuse, toResponse } from "./refusal.ts";

export interface RunToStream {
  readonly run: string;
  readonly after: EnvelopePlace | undefined;
  readonly headers: Readonly<Record<string, string>>;
  /** Makes of what happens what the reader is told. */
  toSink(stream: EventStream): RunSink;
}

export type StreamRun = (context: Context<ServerEnvironment>, told: RunToStream) => Response;

export interface StreamParts {
  readonly limits: ServerLimits;
  readonly streams: OpenStreams;
  readonly tails: OpenTails;
}

export function createRunStreams({ limits, streams, tails }: StreamParts): StreamRun {
  return (context, { run, after, headers, toSink }) => {
    const { host, caller } = context.var;
    let leave = (): void => {};
    const { outgoing } = context.env ?? {};
    const stream = streams.open(caller, {
      onEnd: () => leave(),
      ...(outgoing === undefined ? {} : { destroy: () => void outgoing.destroy() }),
    });
    if (stream === undefined) return toResponse(refuse("STREAMS_EXHAUSTED"));
    const { tail, release } = tails.hold({ host, tenant: caller.tenant, run });
    const { bufferBytesMax } = limits;
    const watch = watchRun(toSink(stream), { host, run, after, tail, bufferBytesMax });
    leave = () => {
      watch.leave();
      release();
    };
    // A store that does not answer now may do so when the reader comes back.
    watch.caughtUp.catch(() => stream.cut());
    return new Response(stream.body, { headers });
  };
}
