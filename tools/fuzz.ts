/**
 * `npm run fuzz -- [--count 50000] [--seed 1] [--case 7] [--entry loops] [--json]`
 *
 * Breaks what is valid and puts it through every public entry: loop documents, recorded events,
 * receipts and exports, the conformance protocol, and the JSON of the command line. Whatever it is,
 * nothing but typed errors and verdicts comes out, nothing takes over a second, no prototype
 * changes, and every call in a trace ends exactly once. A case that fails is printed with what
 * makes it again.
 */
import { inspect, parseArgs } from "node:util";
import type { CaseReport } from "./fuzz/case-report.ts";
import { entryNames, runCase } from "./fuzz/run-case.ts";
import { createTally } from "./fuzz/tally.ts";
import { watchPrototypes } from "./fuzz/watch-prototypes.ts";

const STEP_MS_MAX = 1_000;
const FAILURES_SHOWN_MAX = 10;

const { values } = parseArgs({
  options: {
    count: { type: "string", default: "50000" },
    seed: { type: "string", default: "1" },
    case: { type: "string" },
    entry: { type: "string" },
    json: { type: "boolean", default: false },
  },
});
const seed = Number(values.seed);
const count = values.case === undefined ? Number(values.count) : 1;
const first = Number(values.case ?? 0);
const entry = entryNames.find((name) => name === values.entry);
if (values.entry !== undefined && entry === undefined) {
  console.error(`the entries are ${entryNames.join(", ")}`);
  process.exit(64);
}

// What nobody waits for fails the case during which it is noticed.
const strays: string[] = [];
const noteStray = (error: unknown): void => {
  strays.push(`nobody caught: ${error instanceof Error ? error.stack : String(error)}`);
};
process.on("unhandledRejection", noteStray);
process.on("uncaughtException", noteStray);

const tally = createTally();
const findChanges = watchPrototypes();
let failures = 0;
let slowest = { index: -1, ms: 0 };
const startedMs = performance.now();
for (let index = first; index < first + count; index++) {
  const report = await measureCase(index);
  tally.add(report);
  if (report.slowestMs > slowest.ms) slowest = { index, ms: report.slowestMs };
  if (report.problems.length > 0) showFailure(index, report);
}
const seconds = (performance.now() - startedMs) / 1_000;

for (const line of [...tally.renderKinds(), "", ...tally.renderEntries(), ""]) console.log(line);
console.log(`slowest: case ${slowest.index}, ${slowest.ms.toFixed(0)} ms`);
console.log(`${count} cases in ${seconds.toFixed(0)} s, seed ${seed}`);
console.log(`${count - failures} passed, ${failures} failed`);
if (values.json) {
  const figures = {
    cases: count,
    failures,
    slowestMs: slowest.ms,
    seconds,
    entries: tally.entries(),
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
  let report = await runCase(seed, index, entry);
  if (report.slowestMs > STEP_MS_MAX) report = await runCase(seed, index, entry);
  const problems = [...report.problems, ...findChanges(), ...strays.splice(0)];
  if (report.slowestMs > STEP_MS_MAX) problems.push(`takes ${report.slowestMs.toFixed(0)} ms`);
  return { ...report, problems };
}

function showFailure(index: number, report: CaseReport): void {
  failures++;
  if (failures > FAILURES_SHOWN_MAX) return;
  const again = `npm run fuzz -- --seed ${seed} --case ${index}`;
  const chosen = entry === undefined ? "" : ` --entry ${entry}`;
  console.log(`case ${index} (${report.entry}, ${report.kind}) failed; again: ${again}${chosen}`);
  for (const problem of report.problems) console.log(`  ${problem}`);
  console.log(inspect(report.subjects, { depth: 12, maxStringLength: 200, maxArrayLength: 20 }));
}
