import { json, wholeNumber } from "../tools/command/options.ts";
import { createProgress } from "../tools/command/progress.ts";
import { readOptions } from "../tools/command/read-options.ts";
import { renderTable } from "../tools/render-table.ts";
import { runOutage } from "./outage/run-outage.ts";

const options = readOptions({
  name: "npm run proof outage",
  about: [
    "A provider over HTTP is away in the middle of runs on a real engine and database. Each run",
    "has to wait for it, go on by itself and pay once. Exits with 1 when one does not.",
  ],
  needs: "PostgreSQL (TURNSEAL_TEST_POSTGRES_URL) and the engine",
  lasts: "four minutes for 100 runs and two minutes of absence",
  options: {
    runs: wholeNumber({ takes: "runs", says: "runs at once", default: 100, atLeast: 1 }),
    away: wholeNumber({
      takes: "seconds",
      says: "how long the provider is away",
      default: 120,
      atLeast: 1,
    }),
    json,
  },
});

const say = createProgress();
const figures = await runOutage({ runs: options.runs, awayMs: options.away * 1_000, say });
const goals = { met: "more than 0", finished: options.runs, paidTwice: 0, notPaid: 0, findings: 0 };
const { met, finished, paidTwice, notPaid, findings } = figures;
const isClean = paidTwice + notPaid + findings === 0;
const pass = met > 0 && finished === options.runs && isClean;
const rows = Object.entries(figures).map(([name, value]) => [name, String(value)]);
console.log(renderTable(["figure", "value"], rows));
if (options.json) console.log(JSON.stringify({ figures, goals, pass }));
process.exitCode = pass ? 0 : 1;
