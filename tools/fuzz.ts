/**
 * `npm run fuzz -- [--count 50000] [--seed 1] [--case 7] [--json]`
 *
 * Breaks valid documents, inputs, paths and templates, and puts them through the kernel. Whatever
 * they are, nothing but typed errors comes out, nothing takes over a second, no prototype changes,
 * and every call in a trace ends exactly once. A case that fails is printed with what makes it
 * again.
 */
import { inspect, parseArgs } from "node:util";
import { formatErrorChain } from "@turnseal/protocol";
import { type CaseReport, runCase } from "./fuzz/run-case.ts";
import { createTally } from "./fuzz/tally.ts";
import { watchPrototypes } from "./fuzz/watch-prototypes.ts";

const STEP_MS_MAX = 1_000;
const FAILURES_SHOWN_MAX = 10;

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "50000" },
    seed: { type: "string", default: "1" },
    case: { type: "string" },
    json: { type: "boolean", default: false },
  },
});
const seed = Number(values.seed);
const count = values.case === undefined ? Number(values.count) : 1;
const first = Number(values.case ?? 0);

const tally = createTally();
const findChanges = watchPrototypes();
let failures = 0;
let slowest = { index: -1, ms: 0 };
const startedMs = performance.now();
for (let index = first; index < first + count; index++) {
  const report = await measureCase(index);
  tally.add(report.kind, report.outcomes);
  if (report.slowestMs > slowest.ms) slowest = { index, ms: report.slowestMs };
  if (report.problems.length > 0) showFailure(index, report);
}
const seconds = (performance.now() - startedMs) / 1_000;

for (const line of tally.render()) console.log(line);
console.log(`slowest: case ${slowest.index}, ${slowest.ms.toFixed(0)} ms`);
console.log(`${count} cases in ${seconds.toFixed(0)} s, seed ${seed}`);
console.log(`${count - failures} passed, ${failures} failed`);
if (values.json) {
  const figures = {
    cases: count,
    failures,
    slowestMs: slowest.ms,
    seconds,
    outcomes: tally.counts(),
  };
  const goals = { failures: 0, slowestMs: STEP_MS_MAX };
  console.log(JSON.stringify({ figures, goals, pass: failures === 0 }));
}
process.exitCode = failures === 0 ? 0 : 1;

/**
 * Runs a case, and once more where it was slow: a machine that is busy makes any case slow once.
 */
async function measureCase(index: number): Promise<CaseReport> {
  let report = await runCase(seed, index).catch(reportThrown);
  if (report.slowestMs > STEP_MS_MAX) report = await runCase(seed, index).catch(reportThrown);
  const problems = [...report.problems, ...findChanges()];
  if (report.slowestMs > STEP_MS_MAX) problems.push(`takes ${report.slowestMs.toFixed(0)} ms`);
  return { ...report, problems };
}

/** Refusals and failed calls are values: whatever is thrown is a failure of the case. */
function reportThrown(error: unknown): CaseReport {
  const stack = error instanceof Error ? error.stack : formatErrorChain(error);
  const problems = [`thrown: ${stack}`];
  return { kind: "thrown", slowestMs: 0, outcomes: ["thrown"], problems, subjects: [] };
}

function showFailure(index: number, { kind, problems, subjects }: CaseReport): void {
  failures++;
  if (failures > FAILURES_SHOWN_MAX) return;
  console.log(
    `case ${index} (${kind}) failed; again: npm run fuzz -- --seed ${seed} --case ${index}`,
  );
  for (const problem of problems) console.log(`  ${problem}`);
  console.log(inspect(subjects, { depth: 12, maxStringLength: 200, maxArrayLength: 20 }));
}
