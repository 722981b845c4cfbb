/**
 * The metrics of a process, in the format of Prometheus.
 *
 * 1. Every metric is there from the start, also while it has no values: a rule that names one can
 *    be checked against a process that has done nothing.
 * 2. Memory is bounded: a label has at most so many values, a metric so many series, and the rest
 *    is counted as `other`.
 */

export type Labels = Readonly<Record<string, string>>;

export interface Counter {
  add(labels: Labels, amount?: number): void;
}

export interface Histogram {
  observe(labels: Labels, seconds: number): void;
}

/** The present values of a gauge, by labels; empty if there is nothing to report. */
export type ReadGauge = () => readonly (readonly [labels: Labels, value: number])[];

export interface MetricSet {
  counter(name: string, help: string): Counter;
  histogram(name: string, help: string): Histogram;
  gauge(name: string, help: string, read: ReadGauge): void;
  render(): string;
}

/** How many values one label has in one metric, besides `other`. */
export const LABEL_VALUES_MAX = 200;
/** How many series a counter or a gauge has, and how many a histogram, which has a line a bound. */
export const SERIES_MAX = 2_000;
export const HISTOGRAM_SERIES_MAX = 200;
/** Replaces values that are not counted on their own. */
export const OTHER = "other";
const VALUE_LENGTH_MAX = 128;

/** Upper bounds in seconds: from one statement to a tool that takes minutes. */
const BUCKETS = [0.001, 0.005, 0.01, 0.05, 0.1, 0.5, 1, 5, 10, 30, 60, 300, 600];

export function createMetricSet(): MetricSet {
  const rendered: (() => string)[] = [];
  const head = (name: string, help: string, type: string): string =>
    `# HELP ${name} ${help}\n# TYPE ${name} ${type}\n`;
  return {
    counter: (name, help) => {
      const series = createSeries(SERIES_MAX, () => ({ value: 0 }));
      const render = (): string =>
        series
          .list()
          .map(([labels, { value }]) => renderValue(name, labels, value))
          .join("");
      rendered.push(() => head(name, help, "counter") + render());
      return {
        add: (labels, amount = 1) => {
          series.of(labels).value += amount;
        },
      };
    },
    histogram: (name, help) => {
      const series = createSeries(HISTOGRAM_SERIES_MAX, createBuckets);
      const render = (): string =>
        series
          .list()
          .map(([labels, buckets]) => renderBuckets(name, labels, buckets))
          .join("");
      rendered.push(() => head(name, help, "histogram") + render());
      return { observe: (labels, seconds) => observe(series.of(labels), seconds) };
    },
    gauge: (name, help, read) => {
      rendered.push(() => {
        const values = read()
          .slice(0, SERIES_MAX)
          .map(([labels, value]) => renderValue(name, labels, value));
        return head(name, help, "gauge") + values.join("");
      });
    },
    render: () => rendered.map((render) => render()).join(""),
  };
}

/** The series of a metric by their labels: as many as there may be, and one for all others. */
function createSeries<Value>(max: number, create: () => Value) {
  const all = new Map<string, readonly [Labels, Value]>();
  const known = new Map<string, Set<string>>();
  const bound = (name: string, value: string): string => {
    const values = known.get(name) ?? new Set();
    known.set(name, values);
    if (!values.has(value) && values.size >= LABEL_VALUES_MAX) return OTHER;
    values.add(value);
    return value;
  };
  const find = (labels: Labels): Value => {
    const key = keyOf(labels);
    const [, value] = all.get(key) ?? [labels, create()];
    if (!all.has(key)) all.set(key, [labels, value]);
    return value;
  };
  /** Keyed by the labels as they came, so that repeated ones are found at once. */
  const recent = new Map<string, Value>();
  return {
    list: (): readonly (readonly [Labels, Value])[] => [...all.values()],
    of: (given: Labels): Value => {
      const found = recent.get(keyOf(given));
      if (found !== undefined) return found;
      const labels = mapLabels(given, (name, value) => bound(name, cleanValue(value)));
      const isNew = !all.has(keyOf(labels));
      // One place is for all that come too late.
      const value = find(isNew && all.size >= max - 1 ? mapLabels(given, () => OTHER) : labels);
      if (recent.size >= max) recent.clear();
      recent.set(keyOf(given), value);
      return value;
    },
  };
}

function keyOf(labels: Labels): string {
  return Object.values(labels).join("\n");
}

/** A value cannot break out of its line, even from a manipulated store. */
function cleanValue(value: string): string {
  return value.slice(0, VALUE_LENGTH_MAX).replaceAll(/[^\w.+:/@-]/g, "_");
}

function mapLabels(labels: Labels, map: (name: string, value: string) => string): Labels {
  return Object.fromEntries(
    Object.entries(labels).map(([name, value]) => [name, map(name, value)]),
  );
}

interface Buckets {
  readonly counts: number[];
  count: number;
  sum: number;
}

function createBuckets(): Buckets {
  return { counts: BUCKETS.map(() => 0), count: 0, sum: 0 };
}

function observe(buckets: Buckets, seconds: number): void {
  buckets.count += 1;
  buckets.sum += seconds;
  for (const [at, bound] of BUCKETS.entries())
    if (seconds <= bound) buckets.counts[at] = (buckets.counts[at] ?? 0) + 1;
}

function renderBuckets(name: string, labels: Labels, { counts, count, sum }: Buckets): string {
  const within = (le: string, value: number): string =>
    renderValue(`${name}_bucket`, { ...labels, le }, value);
  return [
    ...BUCKETS.map((bound, at) => within(String(bound), counts[at] ?? 0)),
    within("+Inf", count),
    renderValue(`${name}_sum`, labels, sum),
    renderValue(`${name}_count`, labels, count),
  ].join("");
}

function renderValue(name: string, labels: Labels, value: number): string {
  return `${name}${renderLabels(labels)} ${value}\n`;
}

function renderLabels(labels: Labels): string {
  const pairs = Object.entries(labels).map(([name, value]) => `${name}="${cleanValue(value)}"`);
  return pairs.length === 0 ? "" : `{${pairs.join(",")}}`;
}
