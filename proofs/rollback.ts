import { json, oneOf, wholeNumber } from "../tools/command/options.ts";
import { createProgress } from "../tools/command/progress.ts";
import { readOptions } from "../tools/command/read-options.ts";
import { renderTable } from "../tools/render-table.ts";
import { rollBackDurably } from "./rollback/durable-rollbacks.ts";
import { rollBackLocally } from "./rollback/local-rollbacks.ts";
import { createTally } from "./rollback/rollback-proof.ts";
import { STEPS } from "./rollback/shelf-loops.ts";

const HOSTS = ["local", "durable"] as const;

const options = readOptions({
  name: "npm run proof rollback",
  about: [
    "A plan of ten steps with files and outside effects fails at each of its steps, and is taken",
    "back by a process that is killed at each of its boundaries, and then by another. The files",
    "have to be what they were, and their digest that of the page of the checkpoint; every",
    "compensation done once and in reverse, what is final listed, the state hash of the checkpoint",
    "and of the graph that is kept the same as before, and every receipt verified. Exits with 1",
    "when something is not.",
  ],
  needs: "for the durable host PostgreSQL's programs (TURNSEAL_POSTGRES_BIN) and the engine",
  lasts: "ten minutes locally, and forty on the durable host: a kill costs the start of a process",
  options: {
    host: oneOf(HOSTS, { takes: "host", says: "only this one (both unless given)" }),
    every: wholeNumber({
      takes: "n",
      says: "kills at every nth boundary only; the seed says at which it begins",
      default: 1,
      atLeast: 1,
    }),
    seed: wholeNumber({ takes: "number", says: "where it begins", default: 0 }),
    failing: wholeNumber({
      takes: "step",
      says: "only the plan that fails at this step, 0 for none (each unless given)",
      default: undefined,
      atLeast: 0,
    }),
    json,
  },
});

const { host, every, seed, failing } = options;
const failures = failing === undefined ? [...Array(STEPS + 1).keys()] : [failing];
const proof = { every, seed, failures, say: createProgress() };
const tallies = { local: createTally(), durable: createTally() };
if (host !== "durable") await rollBackLocally(proof, tallies.local);
if (host !== "local") await rollBackDurably(proof, tallies.durable);
const rows = Object.entries(tallies).map(([name, { problems, ...counted }]) => [
  ...[name, ...Object.values(counted).map(String), String(problems.length)],
]);
console.log(renderTable(["host", "plans", "boundaries", "kills", "rollbacks", "problems"], rows));
const problems = Object.values(tallies).flatMap((tally) => tally.problems);
for (const words of problems.slice(0, 20)) console.log(words);
const kills = tallies.local.kills + tallies.durable.kills;
const pass = problems.length === 0 && kills > 0;
if (options.json) console.log(JSON.stringify({ ...tallies, pass }));
process.exitCode = pass ? 0 : 1;
