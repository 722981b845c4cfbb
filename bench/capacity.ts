import { flag, json, wholeNumber } from "../tools/command/options.ts";
import { createProgress } from "../tools/command/progress.ts";
import { readOptions } from "../tools/command/read-options.ts";
import { APART_MAX, checkModel, measureAgain } from "./capacity/check.ts";
import { computeNeed } from "./capacity/model.ts";

const options = readOptions({
  name: "npm run capacity",
  about: [
    "Says what a load takes, by what was measured (bench/capacity/measured.ts): cores, write-ahead",
    "log, storage, connections, and how long it takes to be up again.",
    "",
    "With --check it measures at two sizes instead, and exits with 1 when the model is further",
    `from it than ${APART_MAX * 100} %. With --measure it prints what the model is made of anew.`,
  ],
  needs: "for --check and --measure the programs of PostgreSQL (initdb, pg_ctl)",
  lasts: "no time, and with --check or --measure a few minutes",
  options: {
    "runs-per-second": wholeNumber({
      ...{ takes: "runs", says: "runs that are started in a second", default: 10, atLeast: 0 },
    }),
    turns: wholeNumber({ takes: "turns", says: "turns of each run", default: 5, atLeast: 1 }),
    parked: wholeNumber({
      ...{ takes: "runs", says: "runs that wait for somebody", default: 10_000, atLeast: 0 },
    }),
    tenants: wholeNumber({ takes: "tenants", says: "tenants", default: 100, atLeast: 1 }),
    days: wholeNumber({
      ...{ takes: "days", says: "how long ended runs are kept", default: 30, atLeast: 0 },
    }),
    streams: wholeNumber({
      ...{ takes: "streams", says: "people who watch", default: 1_000, atLeast: 0 },
    }),
    "turn-seconds": wholeNumber({
      ...{ takes: "seconds", says: "how long model and tools of a turn take" },
      ...{ default: 5, atLeast: 0 },
    }),
    check: flag("measures at two sizes and compares"),
    measure: flag("prints what the model is made of, measured anew"),
    json,
  },
});

if (options.measure) await remeasure();
else if (options.check) await check();
else tell();

function tell(): void {
  const need = computeNeed({
    ...{ turns: options.turns, parked: options.parked, tenants: options.tenants },
    ...{ days: options.days, streams: options.streams },
    runsPerSecond: options["runs-per-second"],
    turnSeconds: options["turn-seconds"],
  });
  for (const [name, value] of Object.entries(need)) {
    if (typeof value === "number") print(name, [["", value]]);
    else print(name, Object.entries(value as Record<string, number>));
  }
  if (options.json) console.log(JSON.stringify({ figures: need, goals: {}, pass: true }));
}

async function check(): Promise<void> {
  const compared = await checkModel(createProgress());
  for (const { name, computed, measured, apart } of compared)
    print(name, Object.entries({ computed, measured, apart }));
  const pass = compared.every(({ apart }) => apart <= APART_MAX);
  console.log(pass ? "the model holds" : `the model is NOT within ${APART_MAX * 100} %`);
  const figures = Object.fromEntries(compared.map(({ name, ...figure }) => [name, figure]));
  if (options.json) console.log(JSON.stringify({ figures, goals: { apart: APART_MAX }, pass }));
  process.exitCode = pass ? 0 : 1;
}

async function remeasure(): Promise<void> {
  const figures = await measureAgain(createProgress());
  console.log(JSON.stringify({ figures, goals: {}, pass: true }, null, options.json ? 0 : 2));
}

function print(name: string, columns: readonly (readonly [string, number])[]): void {
  const cells = columns.map(([column, value]) => `${column} ${format(value)}`.trim());
  console.log(`${name.padEnd(36)}${cells.join("  ")}`);
}

function format(value: number): string {
  return value.toLocaleString("en", { maximumFractionDigits: value < 10 ? 2 : 0 });
}
