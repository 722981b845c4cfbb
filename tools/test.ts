import { readOptions } from "./command/read-options.ts";
import { runSteps } from "./steps/run-steps.ts";
import { TEST_STEPS } from "./steps/steps.ts";
import { repositoryRoot } from "./tidy/tree.ts";

readOptions({
  name: "npm test",
  about: [
    "Types, unit tests, vectors and the repository's own rules. For one file there is",
    "npx vitest run <file>, and for everything npm run verify.",
  ],
  lasts: "less than a minute",
  options: {},
});
const isDone = await runSteps(TEST_STEPS, {
  root: repositoryRoot,
  write: (text) => process.stdout.write(text),
  now: () => performance.now(),
});
process.exitCode = isDone ? 0 : 1;
