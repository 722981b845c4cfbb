import { flag, wholeNumber } from "../tools/command/options.ts";
import type { Say } from "../tools/command/progress.ts";
import { isWhole, listTorn, runCrashProof } from "./graph/run-crash-proof.ts";
import { isKept, runGraphProof } from "./graph/run-graph-proof.ts";
import { type Proven, prove, tabulateFigures } from "./kit/prove.ts";

/** Of each run whose database fails. */
const APPENDS = 16;

interface Asked {
  readonly sequences: number;
  readonly runs: number;
  readonly kills: number;
  readonly seed: number;
  readonly say: Say;
}

await prove(
  {
    name: "proof graph",
    about: [
      "Random sequences of events of plans, and of changes of graphs, valid and not, against memory,",
      "SQLite and PostgreSQL. What the rules refuse is given to the databases as rows that nobody has",
      "checked. All must take and refuse the same, and after each sequence the rows must equal those",
      "that are made anew. With --crash instead: appends of transitions whose database fails at every",
      "write of a row in turn, and processes that are killed while they append. Events and rows must",
      "be there together or not at all. Exits with 1 when they are not.",
    ],
    needs: "a PostgreSQL server (TURNSEAL_TEST_POSTGRES_URL)",
    lasts: "half an hour or so for 20,000 sequences, ten minutes with --crash",
    options: {
      sequences: wholeNumber({ takes: "sequences", says: "in all", default: 20_000, atLeast: 2 }),
      crash: flag("failures and kills instead of sequences"),
      runs: wholeNumber({
        ...{ takes: "runs", default: 6, atLeast: 1 },
        says: "of each database that fails, with --crash",
      }),
      kills: wholeNumber({
        ...{ takes: "times", default: 100, atLeast: 1 },
        says: "a process of each database is killed, with --crash",
      }),
      seed: wholeNumber({ takes: "number", says: "where chance begins", default: 1 }),
    },
  },
  ({ crash, ...asked }, say) =>
    crash ? proveWhole({ ...asked, say }) : proveKept({ ...asked, say }),
);

async function proveKept({ sequences, seed, say }: Asked): Promise<Proven> {
  const figures = await runGraphProof({ sequences, seed, say });
  const { refused, faults, ...counts } = figures;
  const lines = tabulateFigures({ ...counts, ...refused, faults: faults.length });
  return { figures, goals: { faults: 0 }, pass: isKept(figures), lines, problems: faults };
}

async function proveWhole({ runs, kills, seed, say }: Asked): Promise<Proven> {
  const figures = await runCrashProof({ runs, appends: APPENDS, kills, seed, say });
  const torn = listTorn(figures);
  const counts = (["failed", "killed"] as const).flatMap((part) =>
    Object.entries(figures[part]).flatMap(([store, { torn: _, ...counted }]) =>
      Object.entries(counted).map(([name, value]) => [`${store} ${part}: ${name}`, value] as const),
    ),
  );
  const { seconds } = figures;
  const lines = tabulateFigures({ ...Object.fromEntries(counts), torn: torn.length, seconds });
  return { figures, goals: { torn: 0 }, pass: isWhole(figures, { kills }), lines, problems: torn };
}
