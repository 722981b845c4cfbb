import { runSteps } from "./steps/run-steps.ts";
import { listE2eSteps } from "./steps/steps.ts";
import { repositoryRoot } from "./tidy/tree.ts";

// What is given besides goes to vitest, such as the name of a file.
const isDone = await runSteps(listE2eSteps(process.argv.slice(2)), {
  root: repositoryRoot,
  write: (text) => process.stdout.write(text),
  now: () => performance.now(),
});
process.exitCode = isDone ? 0 : 1;
