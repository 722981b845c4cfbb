/** The metrics of a worker. */
import type { Slots } from "@turnseal/host/restate";
import type { Observer } from "@turnseal/ports";
import type { StoreMetrics } from "@turnseal/runtime/engine";
import { createMetricSet, type MetricSet } from "../metrics/metric-set.ts";
import { countRuns } from "../metrics/run-metrics.ts";
import { countStatements } from "../metrics/store-metrics.ts";
import type { Health } from "../metrics/watch-health.ts";
import type { Overdue } from "./watch/watch-overdue.ts";
import type { ReleaseAnswers } from "./watch/watch-releases.ts";

export interface WorkerMetrics {
  /** Counts what runs do. */
  readonly observer: Observer;
  readonly store: StoreMetrics;
  readonly onNotice: (level: string) => void;
  readonly onBlocked: (why: string) => void;
  readonly onStray: () => void;
  readonly onQueued: (tenant: string) => void;
  /** The same slots, with waits for them counted. */
  watchSlots(slots: Slots): Slots;
  watchHealth(health: Health): void;
  watchOverdue(overdue: Overdue): void;
  watchReleases(releases: ReleaseAnswers): void;
  render(): string;
}

export function createWorkerMetrics(): WorkerMetrics {
  const set = createMetricSet();
  const observer = countRuns(set);
  const blocked = set.counter(
    "turnseal_runs_blocked_total",
    "Looks at runs that cannot go on here.",
  );
  const notices = set.counter("turnseal_engine_notices_total", "What the library reported.");
  const strays = set.counter(
    "turnseal_stray_errors_total",
    "Promises that failed and that were awaited nowhere.",
  );
  const queued = set.counter(
    "turnseal_messages_queued_total",
    "Messages that found no slot and queue in the engine.",
  );
  const slotSeconds = set.histogram(
    "turnseal_slot_wait_seconds",
    "How long messages waited for a slot, also those that were sent away.",
  );
  const watched: Watched = {};
  addGauges(set, watched);
  const store = countStatements(set);
  return {
    observer,
    store,
    onNotice: (level) => notices.add({ level }),
    onBlocked: (why) => blocked.add({ why }),
    onStray: () => strays.add({}),
    onQueued: (tenant) => queued.add({ tenant }),
    watchSlots: (slots) => {
      watched.slots = slots;
      return {
        ...slots,
        take: async (asked) => {
          const sinceMs = performance.now();
          const taken = await slots.take(asked);
          slotSeconds.observe({}, (performance.now() - sinceMs) / 1_000);
          return taken;
        },
      };
    },
    watchHealth: (health) => {
      watched.health = health;
    },
    watchOverdue: (overdue) => {
      watched.overdue = overdue;
    },
    watchReleases: (releases) => {
      watched.releases = releases;
    },
    render: set.render,
  };
}

/** Parts whose state metrics read on demand. */
interface Watched {
  slots?: Slots;
  health?: Health;
  overdue?: Overdue;
  releases?: ReleaseAnswers;
}

function addGauges(set: MetricSet, watched: Watched): void {
  const gauge = (name: string, help: string, read: () => number | boolean | undefined): void =>
    set.gauge(name, help, () => {
      const value = read();
      return value === undefined ? [] : [[{}, Number(value)]];
    });
  gauge("turnseal_slots_max", "Runs that are executed at once.", () => watched.slots?.max);
  gauge("turnseal_slots_in_use", "Runs that are executed now.", () => watched.slots?.inUse());
  gauge("turnseal_slots_waiting", "Messages that wait here.", () => watched.slots?.waiting());
  set.gauge("turnseal_runs_overdue", "Runs that should have been looked at.", () =>
    (watched.overdue?.list() ?? []).map(([tenant, count]) => [{ tenant }, count]),
  );
  set.gauge("turnseal_release_answers", "1 while workers of the release answer.", () =>
    (watched.releases?.list() ?? []).map(([release, problem]) => [
      { release },
      problem === undefined ? 1 : 0,
    ]),
  );
  gauge("turnseal_ready", "1 while /ready says so.", () => watched.health?.isReady());
  gauge("turnseal_store_up", "1 while the database answers.", () => watched.health?.hasStore());
  gauge("turnseal_standby_missing", "1 while a standby is needed and none is there.", () =>
    watched.health?.isStandbyMissing(),
  );
  gauge("turnseal_redis_up", "1 while Redis is there, where one was named.", () =>
    watched.health?.hasRedis(),
  );
  const startedAt = Date.now() / 1_000 - process.uptime();
  gauge("process_resident_memory_bytes", "Memory.", () => process.memoryUsage().rss);
  gauge("process_start_time_seconds", "When it was started.", () => startedAt);
}
