import { json, oneOf, operand } from "../tools/command/options.ts";
import { readOptions } from "../tools/command/read-options.ts";
import { BENCHMARKS } from "./benchmarks.ts";

const names = [...BENCHMARKS.keys()];
const width = Math.max(...names.map((name) => name.length));
const command = {
  name: "npm run bench",
  about: [
    "Measures one thing, and exits with 1 when a goal is missed:",
    "",
    ...[...BENCHMARKS].map(([name, { measures }]) => `  ${name.padEnd(width)}  ${measures}`),
    "",
    "Some can be measured at other sizes: npm run bench -- parked --help",
  ],
  lasts: "a few minutes, and parked more than half an hour: each says so itself",
  options: {
    name: operand(oneOf(names, { takes: "name", says: "what to measure" }), "required"),
    json,
  },
};

const args = process.argv.slice(2);
const name = args.find((arg) => BENCHMARKS.has(arg)) ?? "";
const benchmark = BENCHMARKS.get(name);
// Without a name this only answers: with the usage, or with what is wrong.
if (benchmark === undefined) readOptions(command, args);
else {
  const { lines, pass } = await benchmark.run(name, args.toSpliced(args.indexOf(name), 1));
  for (const line of lines) console.log(line);
  process.exitCode = pass ? 0 : 1;
}
