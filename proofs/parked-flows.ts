import { wholeNumber } from "../tools/command/options.ts";
import { isMet, prove } from "./kit/prove.ts";
import { runParkedFlows } from "./parked-flows/run-parked-flows.ts";

await prove(
  {
    name: "proof parked-flows",
    about: [
      "Runs that are parked inside fan-outs, with three approvals each, on a real engine and",
      "database. Four processes approve in random order while three deployments change the flow:",
      "each run has to end once, by the definition that it was started with. Exits with 1 when one",
      "does not.",
    ],
    needs: "PostgreSQL (TURNSEAL_TEST_POSTGRES_URL) and the engine",
    lasts: "some minutes for 500 runs",
    options: {
      runs: wholeNumber({ takes: "runs", says: "runs in all", default: 500, atLeast: 3 }),
      seed: wholeNumber({ takes: "seed", says: "decides the order of approvals", default: 1 }),
    },
  },
  async ({ runs, seed }, say) => {
    const figures = await runParkedFlows({ runs, seed, say });
    const goals = { finished: runs, missing: 0, twice: 0, foreign: 0, blocked: 0, findings: 0 };
    const pass = figures.approvals >= 3 * runs && isMet(figures, goals);
    return { figures, goals: { ...goals, approvals: "3 a run" }, pass };
  },
);
