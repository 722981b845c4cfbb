import type { Step } from "./run-steps.ts";

const report = "node_modules/.cache/turnseal-tests.json";

const types: Step = { name: "types", command: "node node_modules/ts7/bin/tsc -b" };

const reporters = `--reporter=default --reporter=json --outputFile.json=${report}`;
const runTests = `npx --no -- vitest run ${reporters}`;

const tests: Step = { name: "tests", command: runTests, report };

/** What starts processes, a browser or many seeds: minutes, and the same for every change. */
const proofs = [
  "tools/{browser,crash,mutants,simulate,tamper,vectors}/**",
  "tools/{examples,snippets}.test.ts",
  "examples/**",
  "apps/cli/src/{main,runs}.test.ts",
  "apps/cli/src/conformance/**",
  "packages/adapters/src/sqlite/**",
];

const quickTests: Step = {
  name: "tests",
  command: [runTests, ...proofs.map((pattern) => `--exclude '${pattern}'`)].join(" "),
  report,
};

/** `npm test`: types, unit tests, vectors and the repository itself, in less than a minute. */
export const TEST_STEPS: readonly Step[] = [types, quickTests];

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
