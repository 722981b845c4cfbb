/** `npm run bench -- <name> [--json]`: measures, and exits with 1 when a goal is missed. */

import { benchAdmit } from "./admit.ts";
import { benchAppend } from "./append.ts";
import { benchCall } from "./call.ts";
import { benchEngine } from "./engine.ts";
import { benchEngineTurns } from "./engine-turns.ts";
import { benchHistory } from "./history.ts";
import { benchMemory } from "./memory.ts";
import { benchParked } from "./parked.ts";
import { type Benchmark, renderReport } from "./report.ts";
import { benchStream } from "./stream.ts";
import { benchSubscribers } from "./subscribers.ts";
import { benchTurn } from "./turn.ts";

const benchmarks: ReadonlyMap<string, Benchmark> = new Map([
  ["append", benchAppend],
  ["call", benchCall],
  ["turn", benchTurn],
  ["admit", benchAdmit],
  ["history", benchHistory],
  ["memory", benchMemory],
  ["engine", benchEngine],
  ["engine-turns", benchEngineTurns],
  ["parked", benchParked],
  ["stream", benchStream],
  ["subscribers", benchSubscribers],
]);
/** Those that can be measured at other sizes. */
const sized: ReadonlySet<string> = new Set(["engine", "engine-turns", "parked", "subscribers"]);

const [name = "", ...given] = process.argv.slice(2);
const benchmark = benchmarks.get(name);
const options = given.filter((option) => option !== "--json");
const isKnown = options.length === 0 || sized.has(name);
if (benchmark === undefined || !isKnown) {
  console.error(`usage: npm run bench -- <${[...benchmarks.keys()].join(" | ")}> [--json]`);
  process.exitCode = 64;
} else {
  const { lines, pass } = renderReport(await benchmark(options), {
    hasJson: given.length > options.length,
  });
  for (const line of lines) console.log(line);
  process.exitCode = pass ? 0 : 1;
}
