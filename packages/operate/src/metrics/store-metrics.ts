/** Counts statements of the database, and its connections. */
import type { PoolUse } from "@turnseal/adapters/postgres";
import type { StoreMetrics } from "@turnseal/runtime/engine";
import type { MetricSet } from "./metric-set.ts";

export function countStatements(set: MetricSet): StoreMetrics {
  const seconds = set.histogram(
    "turnseal_store_seconds",
    "From a statement to its answer, with the wait for a connection.",
  );
  const errors = set.counter("turnseal_store_errors_total", "Statements that failed.");
  let readUse: (() => PoolUse) | undefined;
  const gauge = (name: string, help: string, pick: (use: PoolUse) => number): void =>
    set.gauge(name, help, () => (readUse === undefined ? [] : [[{}, pick(readUse())]]));
  gauge(
    "turnseal_store_connections_max",
    "The most connections to the database.",
    (use) => use.max,
  );
  gauge(
    "turnseal_store_connections_in_use",
    "Connections on which a statement is asked.",
    (use) => use.open - use.idle,
  );
  gauge(
    "turnseal_store_connections_waiting",
    "Statements that wait for a connection.",
    (use) => use.waiting,
  );
  return {
    onAsked: ({ statement, seconds: took, code }) => {
      seconds.observe({ statement }, took);
      if (code !== undefined) errors.add({ code });
    },
    watchUse: (read) => {
      readUse = read;
    },
  };
}
