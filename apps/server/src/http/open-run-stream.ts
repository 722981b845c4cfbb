/** Streams a run to one reader, in one response that lasts until the run is done. */
import type { EventStream, OpenTails, RunWatch, TailedStream } from "@turnseal/sessions";
import type { Context } from "hono";
import type { ServerLimits } from "../limits.ts";
import type { ServerEnvironment } from "./environment.ts";
import type { OpenStreams } from "./open-streams.ts";
import { refuse, toResponse } from "./refusal.ts";

export interface RunToStream {
  readonly run: string;
  readonly headers: Readonly<Record<string, string>>;
  /** Sends the events of the run in the reader's format. */
  watch(stream: EventStream, watched: TailedStream): RunWatch;
}

export type StreamRun = (context: Context<ServerEnvironment>, told: RunToStream) => Response;

export interface StreamParts {
  readonly limits: ServerLimits;
  readonly streams: OpenStreams;
  readonly tails: OpenTails;
}

export function createRunStreams({ limits, streams, tails }: StreamParts): StreamRun {
  return (context, { run, headers, watch }) => {
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
    const begun = watch(stream, { host, run, tail, bufferBytesMax });
    leave = () => {
      begun.leave();
      release();
    };
    // A store that does not answer now may do so when the reader comes back.
    begun.caughtUp.catch(() => stream.cut());
    return new Response(stream.body, { headers });
  };
}
