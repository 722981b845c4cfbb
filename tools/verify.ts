import { oneOf } from "./command/options.ts";
import { readOptions } from "./command/read-options.ts";
import { runSteps } from "./steps/run-steps.ts";
import { VERIFY_STEPS } from "./steps/steps.ts";
import { repositoryRoot } from "./tidy/tree.ts";

const { part } = readOptions({
  name: "npm run verify",
  about: [
    "Everything but durable runs end to end: format and lint, types, all tests, unused code, and the",
    "packages as others get them.",
  ],
  needs: "PostgreSQL and Redis (TURNSEAL_TEST_POSTGRES_URL, TURNSEAL_TEST_REDIS_URL)",
  lasts: "about twenty minutes on two cores",
  options: {
    part: oneOf(["build", "try"] as const, {
      takes: "part",
      says: "only build, up to the packed packages, or only try, which uses them as a newcomer does",
    }),
  },
});
const steps = part === undefined ? Object.values(VERIFY_STEPS).flat() : VERIFY_STEPS[part];
const isDone = await runSteps(steps, {
  root: repositoryRoot,
  write: (text) => process.stdout.write(text),
  now: () => performance.now(),
});
process.exitCode = isDone ? 0 : 1;
