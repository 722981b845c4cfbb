import { json, oneOf, wholeNumber } from "../tools/command/options.ts";
import { createProgress } from "../tools/command/progress.ts";
import { readOptions } from "../tools/command/read-options.ts";
import { renderTable } from "../tools/render-table.ts";
import { groupDurably } from "./groups/durable-groups.ts";
import { createTally } from "./groups/group-proof.ts";
import { groupLocally } from "./groups/local-groups.ts";

const HOSTS = ["local", "durable"] as const;

const options = readOptions({
  name: "npm run proof groups",
  about: [
    "Groups of three that succeed, are approved, fail at the first and at the last, and cannot be",
    "taken back, each by a process that is killed at each of its boundaries, and then by another.",
    "All has to be done, or none, or a part that a person was asked about; nothing twice, what is",
    "said of each has to be true, and every receipt verified. Exits with 1 when something is not.",
  ],
  needs: "for the durable host PostgreSQL's programs (TURNSEAL_POSTGRES_BIN) and the engine",
  lasts: "some minutes locally, and a quarter of an hour on the durable host",
  options: {
    host: oneOf(HOSTS, { takes: "host", says: "only this one (both unless given)" }),
    every: wholeNumber({
      takes: "n",
      says: "kills at every nth boundary only; the seed says at which it begins",
      default: 1,
      atLeast: 1,
    }),
    seed: wholeNumber({ takes: "number", says: "where it begins", default: 0 }),
    json,
  },
});

const { host, every, seed } = options;
const proof = { every, seed, say: createProgress() };
const tallies = { local: createTally(), durable: createTally() };
if (host !== "durable") await groupLocally(proof, tallies.local);
if (host !== "local") await groupDurably(proof, tallies.durable);
const rows = Object.entries(tallies).map(([name, { problems, ...counted }]) => [
  ...[name, ...Object.values(counted).map(String), String(problems.length)],
]);
console.log(renderTable(["host", "boundaries", "kills", "groups", "unknown", "problems"], rows));
const problems = Object.values(tallies).flatMap((tally) => tally.problems);
for (const words of problems.slice(0, 20)) console.log(words);
const kills = tallies.local.kills + tallies.durable.kills;
const pass = problems.length === 0 && kills > 0;
if (options.json) console.log(JSON.stringify({ ...tallies, pass }));
process.exitCode = pass ? 0 : 1;
