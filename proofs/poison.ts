import { execFileSync } from "node:child_process";
import { wholeNumber } from "../tools/command/options.ts";
import { prove } from "./kit/prove.ts";
import { runPoison } from "./poison/run-poison.ts";

/** How many times as long as alone, and how many workers one run may take down. */
const goals = { ratio: 3, workersLost: 3, quietUnfinished: 0, namedInLog: 1, namedInInbox: 1 };

await prove(
  {
    name: "proof poison",
    about: [
      "A run that takes its worker down each time that it acts, and one that leaves a promise to",
      "itself which fails, beside a tenant with little to do, on real workers that are started again.",
      "Exits with 1 when the fleet does not live, the run is not named, or the tenant is kept waiting.",
    ],
    needs: "PostgreSQL (its programs) and the engine",
    lasts: "three minutes",
    options: {
      workers: wholeNumber({ takes: "workers", says: "workers", default: 3, atLeast: 2 }),
      seconds: wholeNumber({
        takes: "seconds",
        says: "how long the quiet tenant is watched alone, and beside",
        default: 60,
        atLeast: 1,
      }),
    },
  },
  async ({ workers, seconds }, say) => {
    // Its workers run the build.
    execFileSync(process.execPath, ["node_modules/ts7/bin/tsc", "-b"], { stdio: "inherit" });
    const figures = await runPoison({ workers, seconds, say });
    const { ratio, workersLost, workersAlive, quietUnfinished } = figures;
    const isNamed = figures.namedInLog > 0 && figures.namedInInbox === 1;
    const isStrayFine = figures.straysNamed === 1 && figures.strayFinished === 1;
    const isAlive = workersAlive === workers && quietUnfinished === 0;
    const isQuiet = ratio <= goals.ratio && workersLost <= goals.workersLost;
    return { figures, goals, pass: isNamed && isStrayFine && isAlive && isQuiet };
  },
);
