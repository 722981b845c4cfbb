import { json, wholeNumber } from "../tools/command/options.ts";
import { createProgress } from "../tools/command/progress.ts";
import { readOptions } from "../tools/command/read-options.ts";
import { renderTable } from "../tools/render-table.ts";
import { isKept, runGraphProof } from "./graph/run-graph-proof.ts";

const options = readOptions({
  name: "npm run graph-proof",
  about: [
    "Random sequences of events of plans, and of changes of graphs, valid and not, against memory,",
    "SQLite and PostgreSQL. What the rules refuse is given to the databases as rows that nobody has",
    "checked. All must take and refuse the same, and after each sequence the rows must equal those",
    "that are made anew. Exits with 1 when they do not.",
  ],
  needs: "a PostgreSQL server (TURNSEAL_TEST_POSTGRES_URL)",
  lasts: "an hour or so for 20,000 sequences",
  options: {
    sequences: wholeNumber({ takes: "sequences", says: "in all", default: 20_000, atLeast: 2 }),
    seed: wholeNumber({ takes: "number", says: "where chance begins", default: 1 }),
    json,
  },
});

const { sequences, seed } = options;
const figures = await runGraphProof({ sequences, seed, say: createProgress() });
const pass = isKept(figures);
const { refused, faults, ...counts } = figures;
const rows = [...Object.entries(counts), ...Object.entries(refused), ["faults", faults.length]];
console.log(
  renderTable(
    ["figure", "value"],
    rows.map(([name, value]) => [String(name), String(value)]),
  ),
);
for (const fault of faults) console.log(fault);
if (options.json) console.log(JSON.stringify({ figures, goals: { faults: 0 }, pass }));
process.exitCode = pass ? 0 : 1;
