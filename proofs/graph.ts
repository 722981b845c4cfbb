import { flag, json, wholeNumber } from "../tools/command/options.ts";
import { createProgress } from "../tools/command/progress.ts";
import { readOptions } from "../tools/command/read-options.ts";
import { renderTable } from "../tools/render-table.ts";
import { isWhole, listTorn, runCrashProof } from "./graph/run-crash-proof.ts";
import { isKept, runGraphProof } from "./graph/run-graph-proof.ts";

const options = readOptions({
  name: "npm run proof graph",
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
    json,
  },
});

/** Of each run whose database fails. */
const APPENDS = 16;
const say = createProgress();
const pass = options.crash ? await proveWhole() : await proveKept();
process.exitCode = pass ? 0 : 1;

async function proveKept(): Promise<boolean> {
  const { sequences, seed } = options;
  const figures = await runGraphProof({ sequences, seed, say });
  const { refused, faults, ...counts } = figures;
  const rows = [...Object.entries(counts), ...Object.entries(refused), ["faults", faults.length]];
  print(rows, faults);
  return report(figures, { faults: 0 }, isKept(figures));
}

async function proveWhole(): Promise<boolean> {
  const { runs, kills, seed } = options;
  const figures = await runCrashProof({ runs, appends: APPENDS, kills, seed, say });
  const torn = listTorn(figures);
  const rows = (["failed", "killed"] as const).flatMap((part) =>
    Object.entries(figures[part]).flatMap(([store, { torn: _, ...counts }]) =>
      Object.entries(counts).map(([name, value]) => [`${store} ${part}: ${name}`, value]),
    ),
  );
  print([...rows, ["torn", torn.length], ["seconds", figures.seconds]], torn);
  return report(figures, { torn: 0 }, isWhole(figures, { kills }));
}

function print(rows: readonly (readonly unknown[])[], found: readonly string[]): void {
  const cells = rows.map(([name, value]) => [String(name), String(value)]);
  console.log(renderTable(["figure", "value"], cells));
  for (const words of found) console.log(words);
}

function report(figures: object, goals: object, isMet: boolean): boolean {
  if (options.json) console.log(JSON.stringify({ figures, goals, pass: isMet }));
  return isMet;
}
