import { expect, test } from "vitest";
import {
  createMetricSet,
  HISTOGRAM_SERIES_MAX,
  LABEL_VALUES_MAX,
  OTHER,
  SERIES_MAX,
} from "./metric-set.ts";

const names = (count: number): string[] => Array.from({ length: count }, (_, at) => `n${at}`);

test("counters, histograms and gauges are rendered as Prometheus reads them", () => {
  const set = createMetricSet();
  const counter = set.counter("a_total", "Things.");
  const histogram = set.histogram("b_seconds", "Times.");
  set.gauge("c", "Now.", () => [[{ kind: "x" }, 3]]);
  counter.add({ tenant: "acme" });
  counter.add({ tenant: "acme" }, 4);
  histogram.observe({}, 0.04);
  const lines = set.render().split("\n");
  expect(lines).toEqual(
    expect.arrayContaining([
      "# HELP a_total Things.",
      "# TYPE a_total counter",
      'a_total{tenant="acme"} 5',
      "# TYPE b_seconds histogram",
      'b_seconds_bucket{le="0.01"} 0',
      'b_seconds_bucket{le="0.05"} 1',
      'b_seconds_bucket{le="+Inf"} 1',
      "b_seconds_sum 0.04",
      "b_seconds_count 1",
      "# TYPE c gauge",
      'c{kind="x"} 3',
    ]),
  );
});

test("a metric without values is there all the same", () => {
  const set = createMetricSet();
  set.counter("a_total", "Things.");
  set.gauge("c", "Now.", () => []);
  expect(set.render()).toBe(
    "# HELP a_total Things.\n# TYPE a_total counter\n# HELP c Now.\n# TYPE c gauge\n",
  );
});

test("a label has LABEL_VALUES_MAX values, and one more is counted as other", () => {
  const set = createMetricSet();
  const counter = set.counter("a_total", "Things.");
  for (const tenant of names(LABEL_VALUES_MAX + 3)) counter.add({ tenant, outcome: "failed" });
  counter.add({ tenant: "n0", outcome: "failed" });
  const text = set.render();
  expect(text).toContain('a_total{tenant="n0",outcome="failed"} 2\n');
  expect(text).toContain(`a_total{tenant="n${LABEL_VALUES_MAX - 1}",outcome="failed"} 1\n`);
  expect(text).not.toContain(`tenant="n${LABEL_VALUES_MAX}"`);
  // The other labels are kept: only the name is lost.
  expect(text).toContain(`a_total{tenant="${OTHER}",outcome="failed"} 3\n`);
});

test("SERIES_MAX and HISTOGRAM_SERIES_MAX hold, and the last series is for others", () => {
  const set = createMetricSet();
  const counter = set.counter("a_total", "Things.");
  const histogram = set.histogram("b_seconds", "Times.");
  for (const tenant of names(100))
    for (const loop of names(100)) {
      counter.add({ tenant, loop });
      histogram.observe({ tenant, loop }, 1);
    }
  const lines = set.render().split("\n");
  const ofCounter = lines.filter((line) => line.startsWith("a_total{"));
  expect(ofCounter).toHaveLength(SERIES_MAX);
  const left = 100 * 100 - (SERIES_MAX - 1);
  expect(ofCounter).toContain(`a_total{tenant="${OTHER}",loop="${OTHER}"} ${left}`);
  const ofHistogram = lines.filter((line) => line.startsWith("b_seconds_count{"));
  expect(ofHistogram).toHaveLength(HISTOGRAM_SERIES_MAX);
});

test("a value cannot break out of its line, and is not longer than a name", () => {
  const set = createMetricSet();
  const counter = set.counter("a_total", "Things.");
  counter.add({ reason: 'x"} 1\nfake_total 9' });
  counter.add({ reason: "y".repeat(10_000) });
  // Two that are written alike are one series: a second line of it would be refused.
  counter.add({ reason: "a b" });
  counter.add({ reason: "a_b" });
  const text = set.render();
  expect(text).not.toMatch(/^fake_total/m);
  expect(text).toContain('a_total{reason="a_b"} 2\n');
  expect(text.length).toBeLessThan(500);
});
