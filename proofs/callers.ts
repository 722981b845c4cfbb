import { wholeNumber } from "../tools/command/options.ts";
import { isKept, runCallers } from "./callers/run-callers.ts";
import { prove, tabulate } from "./kit/prove.ts";

await prove(
  {
    name: "proof callers",
    about: [
      "Two callers of one run at once, in memory, SQLite and PostgreSQL: two approvals, two resumes,",
      "two runs of one key, a start over HTTP that is sent again, and two processes. Each payment is",
      "made once, both callers get the same outcome, nobody is fenced, and no action becomes unknown.",
      "Exits with 1 otherwise.",
    ],
    needs: "a PostgreSQL server (TURNSEAL_TEST_POSTGRES_URL)",
    lasts: "two minutes for 1,000 pairs in each store",
    options: {
      pairs: wholeNumber({ takes: "pairs", says: "in each store", default: 1_000, atLeast: 5 }),
      seed: wholeNumber({ takes: "number", says: "where chance begins", default: 1 }),
    },
  },
  async (request, say) => {
    const figures = await runCallers({ ...request, say });
    const columns = [
      ...(["store", "doubled", "missing", "fenced", "failed"] as const),
      ...(["unknown", "different", "seconds"] as const),
    ];
    return { figures, pass: figures.every(isKept), lines: tabulate(columns, figures) };
  },
);
