/**
 * `npm run chaos -- [--turns 5000] [--fault <name>]... [--seed 1] [--patience 300] [--json]`:
 * breaks a real engine, a real database and real workers under load, and counts from outside what
 * that did. Exits with 1 when anything happened twice, was lost, or stands still.
 *
 * Each fault has a world of its own. Five thousand turns of each take most of an hour on two cores.
 */
import { parseArgs } from "node:util";
import { FAULTS } from "./chaos/faults.ts";
import { runFault } from "./chaos/run-fault.ts";
import { type Line, renderTable, summarize } from "./chaos/table.ts";

const { values } = parseArgs({
  options: {
    turns: { type: "string", default: "5000" },
    fault: { type: "string", multiple: true, default: [] },
    seed: { type: "string", default: "1" },
    patience: { type: "string", default: "300" },
    json: { type: "boolean", default: false },
  },
});
const [turns, seed, patience] = [values.turns, values.seed, values.patience].map(Number);
const chosen = FAULTS.filter(
  ({ name }) => values.fault.length === 0 || values.fault.includes(name),
);
const areNumbers = [turns, seed, patience].every((value) => Number.isSafeInteger(value));
if (!areNumbers || chosen.length < Math.max(1, values.fault.length)) {
  const names = FAULTS.map(({ name }) => `"${name}"`).join(" | ");
  console.error(`usage: npm run chaos -- [--turns N] [--fault ${names}] [--seed N] [--json]`);
  process.exit(64);
}

const lines: Line[] = [];
for (const fault of chosen) {
  const options = {
    turns: Number(turns),
    seed: Number(seed),
    patienceMs: Number(patience) * 1_000,
  };
  const line = await runFault(fault, options);
  lines.push(line);
  console.error(`${line.name}: ${line.turns} turns in ${Math.round(line.seconds)} s`);
}
for (const line of renderTable(lines)) console.log(line);
for (const { name, note } of chosen) if (note !== undefined) console.log(`${name}: ${note}`);
const summary = summarize(lines, Number(turns));
if (values.json) console.log(JSON.stringify(summary));
process.exitCode = summary.pass ? 0 : 1;
