/** The open streams of this process: how many, whose, and until when. */
import type { Caller } from "@turnseal/sessions";
import {
  type EventStream,
  type EventStreamOptions,
  KEEP_ALIVE,
  openEventStream,
} from "@turnseal/sessions";
import type { ServerLimits } from "../limits.ts";

export interface OpenStreams {
  /** Opens a stream for a caller; undefined if there are too many. */
  open(caller: Caller, ends: StreamEnds): EventStream | undefined;
  count(): number;
  /** Ends all of them: their readers come back, to another process. */
  close(): void;
}

type StreamEnds = Pick<EventStreamOptions, "onEnd" | "destroy">;

export function createStreams(limits: ServerLimits): OpenStreams {
  const streams = new Map<EventStream, number>();
  const perTenant = new Map<string, number>();
  let timer: NodeJS.Timeout | undefined;
  const tick = (): void => {
    const nowMs = Date.now();
    for (const [stream, endsAtMs] of streams) {
      if (endsAtMs <= nowMs) stream.end();
      else stream.send(KEEP_ALIVE);
    }
  };
  const count = (tenant: string, change: number): void => {
    const next = (perTenant.get(tenant) ?? 0) + change;
    if (next === 0) perTenant.delete(tenant);
    else perTenant.set(tenant, next);
  };
  return {
    open: ({ tenant, expiresAtMs = Number.POSITIVE_INFINITY }, ends) => {
      if (streams.size >= limits.streamsMax) return undefined;
      if ((perTenant.get(tenant) ?? 0) >= limits.tenantStreamsMax) return undefined;
      const stream = openEventStream({
        ...ends,
        bytesMax: limits.bufferBytesMax,
        onEnd: () => {
          streams.delete(stream);
          count(tenant, -1);
          if (streams.size === 0) clearInterval(timer);
          ends.onEnd();
        },
      });
      if (streams.size === 0) timer = setInterval(tick, limits.keepAliveMs).unref();
      streams.set(stream, Math.min(expiresAtMs, Date.now() + limits.streamMs));
      count(tenant, 1);
      return stream;
    },
    count: () => streams.size,
    close: () => {
      for (const stream of [...streams.keys()]) stream.end();
    },
  };
}
