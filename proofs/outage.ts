import { wholeNumber } from "../tools/command/options.ts";
import { isMet, prove } from "./kit/prove.ts";
import { runOutage } from "./outage/run-outage.ts";

await prove(
  {
    name: "proof outage",
    about: [
      "A provider over HTTP is away in the middle of runs on a real engine and database. Each run",
      "has to wait for it, go on by itself and pay once. Exits with 1 when one does not.",
    ],
    needs: "PostgreSQL (TURNSEAL_TEST_POSTGRES_URL) and the engine",
    lasts: "four minutes for 100 runs and two minutes of absence",
    options: {
      runs: wholeNumber({ takes: "runs", says: "runs at once", default: 100, atLeast: 1 }),
      away: wholeNumber({
        takes: "seconds",
        says: "how long the provider is away",
        default: 120,
        atLeast: 1,
      }),
    },
  },
  async ({ runs, away }, say) => {
    const figures = await runOutage({ runs, awayMs: away * 1_000, say });
    const goals = { finished: runs, paidTwice: 0, notPaid: 0, findings: 0 };
    const pass = figures.met > 0 && isMet(figures, goals);
    return { figures, goals: { met: "more than 0", ...goals }, pass };
  },
);
