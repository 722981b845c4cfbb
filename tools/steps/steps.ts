import type { Step } from "./run-steps.ts";

const report = "node_modules/.cache/turnseal-tests.json";

const types: Step = { name: "types", command: "node node_modules/ts7/bin/tsc -b" };

const tests: Step = {
  name: "tests",
  command: `npx --no -- vitest run --reporter=default --reporter=json --outputFile.json=${report}`,
  report,
};

/** `npm test`: types, unit tests, vectors and the repository itself. */
export const TEST_STEPS: readonly Step[] = [types, tests];

/** `npm run verify`: everything that needs no server. */
export const VERIFY_STEPS: readonly Step[] = [
  { name: "format and lint", command: "npx --no -- biome ci --colors=off ." },
  { name: "promises", command: "npx --no -- oxlint --type-aware --deny-warnings" },
  types,
  tests,
  { name: "unused code", command: "npx --no -- knip" },
  { name: "build and pack", command: "node tools/release/pack.ts .turnseal/packed" },
  { name: "packages", command: "node tools/release/check-packages.ts .turnseal/packed" },
  { name: "installation", command: "node tools/release/try-installation.ts .turnseal/packed" },
];
