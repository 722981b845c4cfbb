import { flag, json, wholeNumber } from "../tools/command/options.ts";
import { createProgress } from "../tools/command/progress.ts";
import { readOptions } from "../tools/command/read-options.ts";
import { renderJson, renderReport } from "./simulate/render-report.ts";
import { runSeed } from "./simulate/run-seed.ts";
import { createSummary } from "./simulate/summary.ts";

const options = readOptions({
  name: "npm run simulate",
  about: [
    "Runs the runtime under crashes, freezes, lost answers, slow tools, jumping clocks and people",
    "who do what they may not, and checks every promise. A seed that fails is printed, and --seed",
    "replays it exactly. Exits with 1 when a promise is broken, or when something that must occur",
    "did not: a few seeds cannot show everything.",
  ],
  lasts: "most of an hour on one core",
  options: {
    seeds: wholeNumber({ takes: "count", says: "how many seeds", default: 20_000, atLeast: 1 }),
    "up-to": wholeNumber({
      takes: "count",
      says: "goes on to at most so many where something that must occur has not",
      default: undefined,
      atLeast: 1,
    }),
    from: wholeNumber({ takes: "seed", says: "the first of them", default: 1 }),
    seed: wholeNumber({ takes: "seed", says: "only this one", default: undefined }),
    bail: flag("ends with the first seed that fails"),
    json,
  },
});
const first = options.seed ?? options.from;
const wanted = options.seed === undefined ? options.seeds : 1;
const most = options.seed === undefined ? Math.max(wanted, options["up-to"] ?? wanted) : 1;

const say = createProgress();
const summary = createSummary({ isSingle: options.seed !== undefined });
for (let seed = first; seed < first + most; seed++) {
  if (seed >= first + wanted && summary.read().missing.length === 0) break;
  const result = await runSeed(seed);
  summary.add(result);
  say(`${seed - first + 1} of ${wanted} seeds`);
  if (result.fault === undefined) continue;
  process.stderr.write(`seed ${seed}: ${result.fault}\n  npm run simulate -- --seed ${seed}\n`);
  if (options.bail) break;
}
const report = summary.read();
process.stdout.write(`${renderReport(report)}${options.json ? renderJson(report) : ""}`);
process.exitCode = report.isSound ? 0 : 1;
