import { wholeNumber } from "./command/options.ts";
import { readOptions } from "./command/read-options.ts";
import { runSteps } from "./steps/run-steps.ts";
import { listTestSteps } from "./steps/steps.ts";
import { repositoryRoot } from "./tidy/tree.ts";

const { twelfth } = readOptions({
  name: "npm test",
  about: [
    "Types, unit tests, vectors and the repository's own rules. For one file there is",
    "npx vitest run <file>, and for everything npm run verify.",
  ],
  lasts: "about two minutes on two cores",
  options: {
    twelfth: wholeNumber({
      atLeast: 0,
      takes: "n",
      says: "only a twelfth of the files: n to n + 11 are all of them",
      default: undefined,
    }),
  },
});
const isDone = await runSteps(listTestSteps(twelfth), {
  root: repositoryRoot,
  write: (text) => process.stdout.write(text),
  now: () => performance.now(),
});
process.exitCode = isDone ? 0 : 1;
