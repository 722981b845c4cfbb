/** The metrics of a server of sessions, and the port that serves them. */
import type { Observer } from "@turnseal/ports";
import type { StoreMetrics } from "@turnseal/runtime/engine";
import { type Door, openDoor } from "./door.ts";
import { createMetricSet } from "./metric-set.ts";
import { countRuns } from "./run-metrics.ts";
import { countStatements } from "./store-metrics.ts";

/** A request that was answered, by words of closed sets. */
export interface AnsweredRequest {
  readonly method: string;
  readonly route: string;
  readonly status: number;
  readonly seconds: number;
}

export interface ServerMetrics {
  /** Counts the runs that this process executes itself. */
  readonly observer: Observer;
  /** For runs in a database. */
  readonly store: StoreMetrics;
  readonly onAnswered: (answered: AnsweredRequest) => void;
  readonly onStray: () => void;
  open(options: ServerDoorOptions): Promise<Door>;
}

export interface ServerDoorOptions {
  readonly bind: string;
  readonly port: number;
  readonly countStreams: () => number;
  readonly whyUnready: () => Promise<string | undefined>;
  /** Absent if no Redis was named. */
  readonly hasRedis?: (() => boolean) | undefined;
}

/** Reported by a server that is ready and goes on without Redis. */
export const REDIS_AWAY = "Redis is away: rate limits are not kept, and nothing is shown live";

export function createServerMetrics(): ServerMetrics {
  const set = createMetricSet();
  const requests = set.counter("turnseal_http_requests_total", "Requests that were answered.");
  const seconds = set.histogram("turnseal_http_request_seconds", "Until an answer began.");
  const strays = set.counter(
    "turnseal_stray_errors_total",
    "Promises that failed and that were awaited nowhere.",
  );
  const observer = countRuns(set);
  const store = countStatements(set);
  return {
    observer,
    store,
    onAnswered: ({ method, route, status, seconds: took }) => {
      requests.add({ method, route, status: String(status) });
      seconds.observe({ route }, took);
    },
    onStray: () => strays.add({}),
    open: ({ bind, port, countStreams, whyUnready, hasRedis }) => {
      set.gauge("turnseal_http_streams", "Streams that are open.", () => [[{}, countStreams()]]);
      set.gauge("turnseal_redis_up", "1 while Redis is there, where one was named.", () =>
        hasRedis === undefined ? [] : [[{}, Number(hasRedis())]],
      );
      set.gauge("process_resident_memory_bytes", "Memory.", () => [
        [{}, process.memoryUsage().rss],
      ]);
      const listNotes = (): string[] => (hasRedis?.() === false ? [REDIS_AWAY] : []);
      return openDoor({ bind, port, whyUnready, listNotes, renderMetrics: set.render });
    },
  };
}
