import { wholeNumber } from "../tools/command/options.ts";
import { isMet, prove } from "./kit/prove.ts";
import { runSeed } from "./standing/run-seed.ts";

await prove(
  {
    name: "proof standing",
    about: [
      "Runs from seeds in which people let approvals stand and revoke them, time passes, actions act",
      "beside each other and workers die. No use or amount may pass what was given, and none may come",
      "after a revocation or after its time. Exits with 1 when one does.",
    ],
    lasts: "a minute for 1,000 seeds",
    options: {
      seeds: wholeNumber({ takes: "n", says: "how many", default: 1_000, atLeast: 1 }),
      from: wholeNumber({ takes: "seed", says: "the first", default: 1 }),
    },
  },
  async ({ seeds, from }, say) => {
    const figures = { seeds, given: 0, draws: 0, revoked: 0, crashes: 0, faults: 0 };
    const problems: string[] = [];
    for (let seed = from; seed < from + seeds; seed++) {
      const { faults, ...counts } = await runSeed(seed);
      for (const name of ["given", "draws", "revoked", "crashes"] as const)
        figures[name] += counts[name];
      figures.faults += faults.length;
      problems.push(...faults.map((fault) => `seed ${seed}: ${fault}`));
      say(`${seed - from + 1} of ${seeds} seeds`);
    }
    const goals = { faults: 0 };
    return { figures, goals, pass: figures.draws > 0 && isMet(figures, goals), problems };
  },
);
