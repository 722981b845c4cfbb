/** `npm run bench -- <name> [--json]`: measures, and exits with 1 when a goal is missed. */
import { benchCall } from "./call.ts";
import { benchHistory } from "./history.ts";
import { type Benchmark, renderReport } from "./report.ts";
import { benchTurn } from "./turn.ts";

const benchmarks: ReadonlyMap<string, Benchmark> = new Map([
  ["call", benchCall],
  ["turn", benchTurn],
  ["history", benchHistory],
]);

const [name = "", ...options] = process.argv.slice(2);
const benchmark = benchmarks.get(name);
const isKnown = options.every((option) => option === "--json");
if (benchmark === undefined || !isKnown) {
  console.error(`usage: npm run bench -- <${[...benchmarks.keys()].join(" | ")}> [--json]`);
  process.exitCode = 64;
} else {
  const { lines, pass } = renderReport(await benchmark(), { hasJson: options.length > 0 });
  for (const line of lines) console.log(line);
  process.exitCode = pass ? 0 : 1;
}
