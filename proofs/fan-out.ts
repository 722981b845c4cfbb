import { wholeNumber } from "../tools/command/options.ts";
import { goalsOf, isPassed, runFanOut } from "./fan-out/run-fan-out.ts";
import { prove } from "./kit/prove.ts";

await prove(
  {
    name: "proof fan-out",
    about: [
      "Fan-outs inside each other, each item a run, on a real engine and database with several",
      "workers. One worker and the engine are killed on the way. Each leaf has to act once, every",
      "receipt to be in one verified tree, and the budget to be kept. Exits with 1 when one is not.",
    ],
    needs: "PostgreSQL's programs and the engine",
    lasts: "six minutes for 1,000 leaves of two seconds",
    options: {
      width: wholeNumber({ takes: "items", says: "of each fan-out", default: 10, atLeast: 1 }),
      depth: wholeNumber({ takes: "levels", says: "of fan-outs", default: 3, atLeast: 1 }),
      wait: wholeNumber({ takes: "ms", says: "how long a leaf takes", default: 2_000, atLeast: 0 }),
      workers: wholeNumber({ takes: "workers", says: "processes", default: 3, atLeast: 1 }),
      slots: wholeNumber({ takes: "slots", says: "of each worker", default: 4, atLeast: 1 }),
    },
  },
  async ({ wait: leafMs, ...sizes }, say) => {
    const request = { ...sizes, leafMs, say };
    const figures = await runFanOut(request);
    return { figures, goals: goalsOf(request), pass: isPassed(figures, request) };
  },
);
