import { wholeNumber } from "../tools/command/options.ts";
import { killArchives } from "./archive/kill-archives.ts";
import { prove } from "./kit/prove.ts";

await prove(
  {
    name: "proof archive",
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
    },
  },
  async (request, say) => ({
    figures: await killArchives({ ...request, say }),
    goals: {
      archived: request.runs,
      ...{ lost: 0, notVerified: 0, changed: 0, periodsLeft: 0, draftsLeft: 0 },
    },
  }),
);
