import { json, wholeNumber } from "../tools/command/options.ts";
import { createProgress } from "../tools/command/progress.ts";
import { readOptions } from "../tools/command/read-options.ts";
import { runSeed } from "./standing/run-seed.ts";

const options = readOptions({
  name: "npm run proof standing",
  about: [
    "Runs from seeds in which people let approvals stand and revoke them, time passes, actions act",
    "beside each other and workers die. No use or amount may pass what was given, and none may come",
    "after a revocation or after its time. Exits with 1 when one does.",
  ],
  lasts: "a minute for 1,000 seeds",
  options: {
    seeds: wholeNumber({ takes: "n", says: "how many", default: 1_000, atLeast: 1 }),
    from: wholeNumber({ takes: "seed", says: "the first", default: 1 }),
    json,
  },
});

const { seeds, from } = options;
const say = createProgress();
const sum = { seeds, given: 0, draws: 0, revoked: 0, crashes: 0, faults: 0 };
for (let seed = from; seed < from + seeds; seed++) {
  const { given, draws, revoked, crashes, faults } = await runSeed(seed);
  sum.given += given;
  sum.draws += draws;
  sum.revoked += revoked;
  sum.crashes += crashes;
  sum.faults += faults.length;
  for (const fault of faults) console.log(`seed ${seed}: ${fault}`);
  if (seed % 500 === 0) say(`${seed - from + 1} of ${seeds} seeds`);
}
const pass = sum.faults === 0 && sum.draws > 0;
console.log(JSON.stringify({ ...sum, pass }));
process.exitCode = pass ? 0 : 1;
