import { execFileSync } from "node:child_process";
import { json, wholeNumber } from "../tools/command/options.ts";
import { createProgress } from "../tools/command/progress.ts";
import { readOptions } from "../tools/command/read-options.ts";
import { renderTable } from "../tools/render-table.ts";
import { runPoison } from "./poison/run-poison.ts";

const options = readOptions({
  name: "npm run proof poison",
  about: [
    "A run that takes its worker down each time that it acts, and one that leaves a promise to",
    "itself which fails, beside a tenant with little to do, on real workers that are started again.",
    "Exits with 1 when the fleet does not live, the run is not named, or the tenant is kept waiting.",
  ],
  needs: "PostgreSQL (its programs) and the engine",
  lasts: "three minutes",
  options: {
    workers: wholeNumber({ takes: "workers", says: "workers", default: 3, atLeast: 2 }),
    seconds: wholeNumber({
      takes: "seconds",
      says: "how long the quiet tenant is watched alone, and beside",
      default: 60,
      atLeast: 1,
    }),
    json,
  },
});

/** How many times as long as alone, and how many workers one run may take down. */
const goals = { ratio: 3, workersLost: 3, quietUnfinished: 0, namedInLog: 1, namedInInbox: 1 };

// Its workers run the build.
execFileSync(process.execPath, ["node_modules/ts7/bin/tsc", "-b"], { stdio: "inherit" });
const say = createProgress();
const figures = await runPoison({ workers: options.workers, seconds: options.seconds, say });
const { ratio, workersLost, workersAlive, quietUnfinished } = figures;
const isNamed = figures.namedInLog > 0 && figures.namedInInbox === 1;
const isStrayFine = figures.straysNamed === 1 && figures.strayFinished === 1;
const isAlive = workersAlive === options.workers && quietUnfinished === 0;
const isQuiet = ratio <= goals.ratio && workersLost <= goals.workersLost;
const pass = isNamed && isStrayFine && isAlive && isQuiet;
const rows = Object.entries(figures).map(([name, value]) => [name, String(value)]);
console.log(renderTable(["figure", "value"], rows));
if (options.json) console.log(JSON.stringify({ figures, goals, pass }));
process.exitCode = pass ? 0 : 1;
