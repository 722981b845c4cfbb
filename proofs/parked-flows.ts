import { json, wholeNumber } from "../tools/command/options.ts";
import { createProgress } from "../tools/command/progress.ts";
import { readOptions } from "../tools/command/read-options.ts";
import { renderTable } from "../tools/render-table.ts";
import { runParkedFlows } from "./parked-flows/run-parked-flows.ts";

const options = readOptions({
  name: "npm run proof parked-flows",
  about: [
    "Runs that are parked inside fan-outs, with three approvals each, on a real engine and",
    "database. Four processes approve in random order while three deployments change the flow:",
    "each run has to end once, by the definition that it was started with. Exits with 1 when one",
    "does not.",
  ],
  needs: "PostgreSQL (TURNSEAL_TEST_POSTGRES_URL) and the engine",
  lasts: "some minutes for 500 runs",
  options: {
    runs: wholeNumber({ takes: "runs", says: "runs in all", default: 500, atLeast: 3 }),
    seed: wholeNumber({ takes: "seed", says: "decides the order of approvals", default: 1 }),
    json,
  },
});

const say = createProgress();
const figures = await runParkedFlows({ runs: options.runs, seed: options.seed, say });
const goals = {
  ...{ finished: options.runs, approvals: "3 a run", deeds: "as many as expected" },
  ...{ missing: 0, twice: 0, foreign: 0, blocked: 0, findings: 0 },
};
const { missing, twice, foreign, blocked, findings } = figures;
const isClean = missing + twice + foreign + blocked + findings === 0;
const isApproved = figures.approvals >= 3 * options.runs;
const pass = figures.finished === options.runs && isApproved && isClean;
const rows = Object.entries(figures).map(([name, value]) => [name, String(value)]);
console.log(renderTable(["figure", "value"], rows));
if (options.json) console.log(JSON.stringify({ figures, goals, pass }));
process.exitCode = pass ? 0 : 1;
