import { inspect } from "node:util";
import { oneOf, wholeNumber } from "../tools/command/options.ts";
import type { CaseReport } from "./fuzz/case-report.ts";
import { entryNames, runCase } from "./fuzz/run-case.ts";
import { createTally } from "./fuzz/tally.ts";
import { watchPrototypes } from "./fuzz/watch-prototypes.ts";
import { prove } from "./kit/prove.ts";

const STEP_MS_MAX = 1_000;
const FAILURES_SHOWN_MAX = 10;

// An unhandled rejection fails the case during which it is noticed.
const strays: string[] = [];
const noteStray = (error: unknown): void => {
  strays.push(`nobody caught: ${error instanceof Error ? error.stack : String(error)}`);
};
process.on("unhandledRejection", noteStray);
process.on("uncaughtException", noteStray);

interface Cases {
  readonly seed: number;
  readonly entry: (typeof entryNames)[number] | undefined;
  readonly findChanges: () => readonly string[];
}

await prove(
  {
    name: "proof fuzz",
    about: [
      "Breaks what is valid and puts it through every public entry: loop documents, flows, workflow",
      "files, recorded events, receipts and exports, the conformance protocol, and the JSON of the",
      "command line; and carries runs whose models, tools, people and clocks say what they like.",
      "Whatever it is, nothing but typed errors and verdicts comes out, each problem of a document",
      "has its place, nothing takes over a second or is registered without bounds, no prototype",
      "changes, every call in a trace ends exactly once, and every run is done, waits, or is blocked",
      "with a cause, and can be cancelled. A case that fails is printed with what makes it again, and",
      "the end is 1.",
    ],
    lasts: "about ten minutes",
    options: {
      count: wholeNumber({ takes: "cases", says: "how many cases", default: 50_000, atLeast: 1 }),
      seed: wholeNumber({
        takes: "number",
        says: "the same seed gives the same cases",
        default: 1,
      }),
      case: wholeNumber({
        takes: "number",
        says: "only this case of the seed",
        default: undefined,
        atLeast: 0,
      }),
      entry: oneOf(entryNames, {
        takes: "entry",
        says: `only through this one: ${entryNames.join(", ")}`,
      }),
    },
  },
  async ({ seed, entry, case: only, count: wanted }, say) => {
    const count = only === undefined ? wanted : 1;
    const first = only ?? 0;
    const cases = { seed, entry, findChanges: watchPrototypes() };
    const tally = createTally();
    let failures = 0;
    let slowest = { index: -1, ms: 0 };
    const startedMs = performance.now();
    for (let index = first; index < first + count; index++) {
      const report = await measureCase(index, cases);
      tally.add(report);
      if (report.slowestMs > slowest.ms) slowest = { index, ms: report.slowestMs };
      if (report.problems.length > 0 && ++failures <= FAILURES_SHOWN_MAX)
        showFailure(index, report, cases);
      say(`${index - first + 1} of ${count} cases, ${failures} failed`);
    }
    const seconds = (performance.now() - startedMs) / 1_000;
    return {
      figures: {
        ...{ cases: count, failures, slowestMs: slowest.ms, seconds },
        ...{ entries: tally.entries(), outcomes: tally.counts() },
      },
      goals: { failures: 0, slowestMs: STEP_MS_MAX },
      pass: failures === 0,
      lines: [
        ...[...tally.renderKinds(), "", ...tally.renderEntries(), ""],
        `slowest: case ${slowest.index}, ${slowest.ms.toFixed(0)} ms`,
        `${count} cases in ${seconds.toFixed(0)} s, seed ${seed}`,
        `${count - failures} passed, ${failures} failed`,
      ],
    };
  },
);

/**
 * Runs a case, and once more where it was slow: a machine that is busy makes any case slow once.
 */
async function measureCase(
  index: number,
  { seed, entry, findChanges }: Cases,
): Promise<CaseReport> {
  let report = await runCase(seed, index, entry);
  if (report.slowestMs > STEP_MS_MAX) report = await runCase(seed, index, entry);
  const problems = [...report.problems, ...findChanges(), ...strays.splice(0)];
  if (report.slowestMs > STEP_MS_MAX) problems.push(`takes ${report.slowestMs.toFixed(0)} ms`);
  return { ...report, problems };
}

function showFailure(index: number, report: CaseReport, { seed, entry }: Cases): void {
  const again = `npm run proof fuzz -- --seed ${seed} --case ${index}`;
  const chosen = entry === undefined ? "" : ` --entry ${entry}`;
  console.log(`case ${index} (${report.entry}, ${report.kind}) failed; again: ${again}${chosen}`);
  for (const problem of report.problems) console.log(`  ${problem}`);
  console.log(inspect(report.subjects, { depth: 12, maxStringLength: 200, maxArrayLength: 20 }));
}
