import { wholeNumber } from "../tools/command/options.ts";
import { prove, tabulate } from "./kit/prove.ts";
import { isKept, runValues } from "./values/run-values.ts";

await prove(
  {
    name: "proof values",
    about: [
      "Writers who compare and set one value, in each store: memory, files, SQLite, Redis and",
      "PostgreSQL, on servers of its own. Processes and servers are killed on the way. No change that",
      "was answered may be lost or come twice. Exits with 1 when one is.",
    ],
    needs: "PostgreSQL's programs and redis-server",
    lasts: "two minutes for 100 writers",
    options: {
      writers: wholeNumber({ takes: "writers", says: "at once", default: 100, atLeast: 1 }),
      adds: wholeNumber({ takes: "changes", says: "of each writer", default: 5, atLeast: 1 }),
    },
  },
  async ({ writers, adds }, say) => {
    const request = { writers, adds, say };
    const figures = await runValues(request);
    const columns = [
      "store",
      "killed",
      "answered",
      "unanswered",
      "lost",
      "sum",
      "seconds",
    ] as const;
    return {
      figures,
      pass: figures.every((found) => isKept(found, request)),
      lines: tabulate(columns, figures),
    };
  },
);
