import { runSteps } from "./steps/run-steps.ts";
import { TEST_STEPS } from "./steps/steps.ts";
import { repositoryRoot } from "./tidy/tree.ts";

const isDone = await runSteps(TEST_STEPS, {
  root: repositoryRoot,
  write: (text) => process.stdout.write(text),
  now: () => performance.now(),
});
process.exitCode = isDone ? 0 : 1;
