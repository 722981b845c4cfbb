/**
 * `npm run simulate -- [--seeds 20000] [--from 1] [--seed n] [--bail] [--json]`
 *
 * A seed that fails is printed, and `--seed` replays it exactly. With `--bail` the first one ends
 * the simulation.
 */
import { parseArgs } from "node:util";
import { renderJson, renderReport } from "./simulate/render-report.ts";
import { runSeed } from "./simulate/run-seed.ts";
import { createSummary } from "./simulate/summary.ts";

const { values } = parseArgs({
  options: {
    seeds: { type: "string", default: "20000" },
    from: { type: "string", default: "1" },
    seed: { type: "string" },
    bail: { type: "boolean", default: false },
    json: { type: "boolean", default: false },
  },
});
const first = Number(values.seed ?? values.from);
const count = values.seed === undefined ? Number(values.seeds) : 1;
if (!Number.isSafeInteger(first) || !Number.isSafeInteger(count) || count < 1)
  throw new RangeError("seeds are whole numbers, and at least one of them");

/** Seeds after which a long simulation says how far it is. */
const SEEDS_PER_WORD = 1_000;

const summary = createSummary({ isSingle: values.seed !== undefined });
for (let seed = first; seed < first + count; seed++) {
  const result = await runSeed(seed);
  summary.add(result);
  const made = seed - first + 1;
  if (made % SEEDS_PER_WORD === 0) process.stderr.write(`${made} of ${count} seeds\n`);
  if (result.fault === undefined) continue;
  process.stderr.write(`seed ${seed}: ${result.fault}\n  npm run simulate -- --seed ${seed}\n`);
  if (values.bail) break;
}
const report = summary.read();
process.stdout.write(`${renderReport(report)}${values.json ? renderJson(report) : ""}`);
process.exitCode = report.isSound ? 0 : 1;
