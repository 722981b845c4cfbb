import { json, wholeNumber } from "../tools/command/options.ts";
import { createProgress } from "../tools/command/progress.ts";
import { readOptions } from "../tools/command/read-options.ts";
import { renderTable } from "../tools/render-table.ts";
import { goalsOf, isPassed, runFanOut } from "./fan-out/run-fan-out.ts";

const options = readOptions({
  name: "npm run proof fan-out",
  about: [
    "Fan-outs inside each other, each item a run, on a real engine and database with several",
    "workers. One worker and the engine are killed on the way. Each leaf has to act once, every",
    "receipt to be in one verified tree, and the budget to be kept. Exits with 1 when one is not.",
  ],
  needs: "PostgreSQL's programs and the engine",
  lasts: "six minutes for 1,000 leaves of two seconds",
  options: {
    width: wholeNumber({ takes: "items", says: "of each fan-out", default: 10, atLeast: 1 }),
    depth: wholeNumber({ takes: "levels", says: "of fan-outs", default: 3, atLeast: 1 }),
    wait: wholeNumber({ takes: "ms", says: "how long a leaf takes", default: 2_000, atLeast: 0 }),
    workers: wholeNumber({ takes: "workers", says: "processes", default: 3, atLeast: 1 }),
    slots: wholeNumber({ takes: "slots", says: "of each worker", default: 4, atLeast: 1 }),
    json,
  },
});

const say = createProgress();
const { width, depth, wait: leafMs, workers, slots } = options;
const request = { width, depth, leafMs, workers, slots, say };
const figures = await runFanOut(request);
const goals = goalsOf(request);
const pass = isPassed(figures, request);
const rows = Object.entries(figures).map(([name, value]) => [name, String(value)]);
console.log(renderTable(["figure", "value"], rows));
if (options.json) console.log(JSON.stringify({ figures, goals, pass }));
process.exitCode = pass ? 0 : 1;
