import { json, wholeNumber } from "../tools/command/options.ts";
import { createProgress } from "../tools/command/progress.ts";
import { readOptions } from "../tools/command/read-options.ts";
import { renderTable } from "../tools/render-table.ts";
import { killArchives } from "./archive/kill-archives.ts";

const options = readOptions({
  name: "npm run proof archive",
  about: [
    "Archives ended runs while the command is killed again and again. Some runs have to be readable",
    "and to verify after each kill, all of them after the last, and all have to be in the archive at",
    "the end. Exits with 1 otherwise.",
  ],
  needs: "PostgreSQL (TURNSEAL_TEST_POSTGRES_URL)",
  lasts: "a few minutes for 10,000 runs",
  options: {
    runs: wholeNumber({ takes: "runs", says: "ended runs", default: 10_000, atLeast: 1 }),
    kills: wholeNumber({ takes: "kills", says: "kills", default: 10, atLeast: 0 }),
    seed: wholeNumber({ takes: "number", says: "where the moments come from", default: 1 }),
    json,
  },
});

const { runs, kills, seed } = options;
const figures = await killArchives({ runs, kills, seed, say: createProgress() });
const goals = {
  archived: runs,
  lost: 0,
  notVerified: 0,
  changed: 0,
  periodsLeft: 0,
  draftsLeft: 0,
};
const pass = Object.entries(goals).every(([name, goal]) => Reflect.get(figures, name) === goal);
const rows = Object.entries(figures).map(([name, value]) => [name, String(value)]);
console.log(renderTable(["figure", "value"], rows));
if (options.json) console.log(JSON.stringify({ figures, goals, pass }));
process.exitCode = pass ? 0 : 1;
