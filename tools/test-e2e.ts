import { readOptions } from "./command/read-options.ts";
import { runSteps } from "./steps/run-steps.ts";
import { listE2eSteps } from "./steps/steps.ts";
import { repositoryRoot } from "./tidy/tree.ts";

const args = process.argv.slice(2);
const command = {
  name: "npm run test:e2e -- [<file>...]",
  about: [
    "Durable runs on real servers; it fails at once where there are none. What is given besides goes",
    "to vitest, such as the name of a file.",
  ],
  needs: "PostgreSQL and Redis (TURNSEAL_TEST_POSTGRES_URL, TURNSEAL_TEST_REDIS_URL)",
  lasts: "many minutes",
  options: {},
};
readOptions(
  command,
  args.filter((arg) => arg === "--help"),
);
const isDone = await runSteps(listE2eSteps(args), {
  root: repositoryRoot,
  write: (text) => process.stdout.write(text),
  now: () => performance.now(),
});
process.exitCode = isDone ? 0 : 1;
