/**
 * What a worker counts, as Prometheus reads it. Labels are of closed sets: nothing that an author
 * or a model can choose becomes one.
 */
import { measureRuns } from "@turnseal/host";
import type { LoopEvent } from "@turnseal/protocol";

export interface WorkerMetrics {
  readonly onEvent: (event: LoopEvent) => void;
  readonly onNotice: (level: string) => void;
  readonly onBlocked: (why: string) => void;
  readonly onStray: () => void;
  readonly onQueued: () => void;
  render(gauges: Readonly<Record<string, number>>): string;
}

/** Upper bounds in seconds: from a read in memory to a tool that takes minutes. */
const BUCKETS = [0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 600];

export function createWorkerMetrics(): WorkerMetrics {
  const turns = createCounter("turnseal_turns_total", "Turns that were closed.");
  const stops = createCounter("turnseal_runs_stopped_total", "Runs that have stopped.");
  const actions = createCounter("turnseal_actions_total", "Actions that were settled.");
  const unknown = createCounter("turnseal_actions_unknown_total", "Actions of unknown end.");
  const blocked = createCounter(
    "turnseal_runs_blocked_total",
    "Looks at runs that cannot go on here.",
  );
  const notices = createCounter("turnseal_engine_notices_total", "What the library reported.");
  const strays = createCounter(
    "turnseal_stray_errors_total",
    "Promises that failed and that were awaited nowhere.",
  );
  const queued = createCounter(
    "turnseal_messages_queued_total",
    "Messages that found no slot and queue in the engine.",
  );
  const actionSeconds = createHistogram("turnseal_action_seconds", "How long actions took.");
  const turnSeconds = createHistogram("turnseal_turn_seconds", "From begin to close of a turn.");
  const onEvent = measureRuns({
    onTurn: (outcome, seconds) => {
      turns.add({ outcome });
      if (seconds !== undefined) turnSeconds.observe(seconds, {});
    },
    onStop: (reason) => stops.add({ reason }),
    onUnknown: (action) => unknown.add({ action }),
    onAction: (action, status, seconds) => {
      actions.add({ action, status });
      actionSeconds.observe(seconds, { action });
    },
  });
  return {
    onEvent,
    onNotice: (level) => notices.add({ level }),
    onBlocked: (why) => blocked.add({ why }),
    onStray: () => strays.add({}),
    onQueued: () => queued.add({}),
    render: (gauges) =>
      [
        ...[turns, stops, actions, unknown, blocked, notices, strays, queued].map((counter) =>
          counter.render(),
        ),
        ...[actionSeconds, turnSeconds].map((histogram) => histogram.render()),
        ...Object.entries(gauges).map(
          ([name, value]) => `# TYPE ${name} gauge\n${name} ${value}\n`,
        ),
      ].join(""),
  };
}

type Labels = Readonly<Record<string, string>>;

function renderLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => {
    const safe = value.replaceAll(/[^\w.+-]/g, "_");
    return `${name}="${safe}"`;
  });
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}

function createCounter(name: string, help: string) {
  const values = new Map<string, number>();
  return {
    add: (labels: Labels): void => {
      const key = renderLabels(labels);
      values.set(key, (values.get(key) ?? 0) + 1);
    },
    render: (): string => {
      const head = `# HELP ${name} ${help}\n# TYPE ${name} counter\n`;
      return head + [...values].map(([labels, value]) => `${name}${labels} ${value}\n`).join("");
    },
  };
}

function createHistogram(name: string, help: string) {
  interface Series {
    readonly labels: Labels;
    readonly counts: number[];
    count: number;
    sum: number;
  }
  const all = new Map<string, Series>();
  return {
    observe: (seconds: number, labels: Labels): void => {
      const key = renderLabels(labels);
      const series = all.get(key) ?? { labels, counts: BUCKETS.map(() => 0), count: 0, sum: 0 };
      all.set(key, series);
      series.count += 1;
      series.sum += seconds;
      for (const [at, bound] of BUCKETS.entries())
        if (seconds <= bound) series.counts[at] = (series.counts[at] ?? 0) + 1;
    },
    render: (): string => {
      const lines = [...all.values()].flatMap(({ labels, counts, count, sum }) => [
        ...BUCKETS.map((bound, at) => {
          const le = renderLabels({ ...labels, le: String(bound) });
          return `${name}_bucket${le} ${counts[at]}\n`;
        }),
        `${name}_bucket${renderLabels({ ...labels, le: "+Inf" })} ${count}\n`,
        `${name}_sum${renderLabels(labels)} ${sum}\n`,
        `${name}_count${renderLabels(labels)} ${count}\n`,
      ]);
      return `# HELP ${name} ${help}\n# TYPE ${name} histogram\n${lines.join("")}`;
    },
  };
}
