import { readOptions } from "./command/read-options.ts";
import { runSteps } from "./steps/run-steps.ts";
import { VERIFY_STEPS } from "./steps/steps.ts";
import { repositoryRoot } from "./tidy/tree.ts";

readOptions({
  name: "npm run verify",
  about: [
    "Everything but durable runs end to end: format and lint, types, all tests, unused code, and the",
    "packages as others get them.",
  ],
  needs: "PostgreSQL and Redis (TURNSEAL_TEST_POSTGRES_URL, TURNSEAL_TEST_REDIS_URL)",
  lasts: "about ten minutes on two cores",
  options: {},
});
const isDone = await runSteps(VERIFY_STEPS, {
  root: repositoryRoot,
  write: (text) => process.stdout.write(text),
  now: () => performance.now(),
});
process.exitCode = isDone ? 0 : 1;
