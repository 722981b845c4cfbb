import { json, wholeNumber } from "../tools/command/options.ts";
import { createProgress } from "../tools/command/progress.ts";
import { readOptions } from "../tools/command/read-options.ts";
import { renderTable } from "../tools/render-table.ts";
import { isKept, runValues } from "./values/run-values.ts";

const options = readOptions({
  name: "npm run proof values",
  about: [
    "Writers who compare and set one value, in each store: memory, files, SQLite, Redis and",
    "PostgreSQL, on servers of its own. Processes and servers are killed on the way. No change that",
    "was answered may be lost or come twice. Exits with 1 when one is.",
  ],
  needs: "PostgreSQL's programs and redis-server",
  lasts: "two minutes for 100 writers",
  options: {
    writers: wholeNumber({ takes: "writers", says: "at once", default: 100, atLeast: 1 }),
    adds: wholeNumber({ takes: "changes", says: "of each writer", default: 5, atLeast: 1 }),
    json,
  },
});

const { writers, adds } = options;
const request = { writers, adds, say: createProgress() };
const figures = await runValues(request);
const pass = figures.every((found) => isKept(found, request));
const columns = ["store", "killed", "answered", "unanswered", "lost", "sum", "seconds"] as const;
console.log(
  renderTable(
    columns,
    figures.map((found) => columns.map((column) => String(found[column]))),
  ),
);
if (options.json) console.log(JSON.stringify({ figures, pass }));
process.exitCode = pass ? 0 : 1;
