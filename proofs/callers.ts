import { json, wholeNumber } from "../tools/command/options.ts";
import { createProgress } from "../tools/command/progress.ts";
import { readOptions } from "../tools/command/read-options.ts";
import { renderTable } from "../tools/render-table.ts";
import { isKept, runCallers } from "./callers/run-callers.ts";

const options = readOptions({
  name: "npm run proof callers",
  about: [
    "Two callers of one run at once, in memory, SQLite and PostgreSQL: two approvals, two resumes,",
    "two runs of one key, a start over HTTP that is sent again, and two processes. Each payment is",
    "made once, both callers get the same outcome, nobody is fenced, and no action becomes unknown.",
    "Exits with 1 otherwise.",
  ],
  needs: "a PostgreSQL server (TURNSEAL_TEST_POSTGRES_URL)",
  lasts: "two minutes for 1,000 pairs in each store",
  options: {
    pairs: wholeNumber({ takes: "pairs", says: "in each store", default: 1_000, atLeast: 5 }),
    seed: wholeNumber({ takes: "number", says: "where chance begins", default: 1 }),
    json,
  },
});

const { pairs, seed } = options;
const figures = await runCallers({ pairs, seed, say: createProgress() });
const pass = figures.every(isKept);
const columns = [
  ...(["store", "doubled", "missing", "fenced", "failed"] as const),
  ...(["unknown", "different", "seconds"] as const),
];
console.log(
  renderTable(
    columns,
    figures.map((found) => columns.map((column) => String(found[column]))),
  ),
);
if (options.json) console.log(JSON.stringify({ figures, pass }));
process.exitCode = pass ? 0 : 1;
