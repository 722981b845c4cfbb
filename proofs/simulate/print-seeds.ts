/** A simulation as a command: seeds one after the other, and what they amount to. */
import { flag, json, wholeNumber } from "../../tools/command/options.ts";
import { createProgress } from "../../tools/command/progress.ts";
import { readOptions } from "../../tools/command/read-options.ts";
import { renderJson, renderReport } from "./render-report.ts";
import { createSummary, type SeedCounts, type Wanted } from "./summary.ts";

export interface Simulation<Figure extends string> {
  /** As it is typed. */
  readonly name: string;
  readonly about: readonly string[];
  readonly lasts: string;
  readonly wanted: Wanted<Figure>;
  readonly runSeed: (seed: number) => Promise<SeedCounts<Figure>>;
}

export async function printSeeds<Figure extends string>({
  name,
  about,
  lasts,
  wanted,
  runSeed,
}: Simulation<Figure>): Promise<void> {
  const options = readOptions({
    ...{ name, lasts },
    about: [
      ...about,
      "A seed that fails is printed, and --seed replays it exactly. Exits with 1 when a promise is",
      "broken, or when something that must occur did not: a few seeds cannot show everything.",
    ],
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
  const count = options.seed === undefined ? options.seeds : 1;
  const most = options.seed === undefined ? Math.max(count, options["up-to"] ?? count) : 1;
  const say = createProgress();
  const summary = createSummary(wanted, { isSingle: options.seed !== undefined });
  for (let seed = first; seed < first + most; seed++) {
    if (seed >= first + count && summary.read().missing.length === 0) break;
    const result = await runSeed(seed);
    summary.add(result);
    say(`${seed - first + 1} of ${count} seeds`);
    if (result.fault === undefined) continue;
    process.stderr.write(`seed ${seed}: ${result.fault}\n  ${name} -- --seed ${seed}\n`);
    if (options.bail) break;
  }
  const report = summary.read();
  process.stdout.write(`${renderReport(report)}${options.json ? renderJson(report, wanted) : ""}`);
  process.exitCode = report.isSound ? 0 : 1;
}
