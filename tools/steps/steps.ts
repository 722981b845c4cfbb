import type { Step } from "./run-steps.ts";

const report = "node_modules/.cache/turnseal-tests.json";

const types: Step = { name: "types", command: "node node_modules/ts7/bin/tsc -b" };

const reporters = `--reporter=minimal --reporter=json --outputFile.json=${report}`;
const runTests = `npx --no -- vitest run ${reporters}`;

const runAlone = (files: readonly string[]) =>
  `${runTests} --no-file-parallelism ${files.join(" ")}`;

const tests: Step = { name: "tests", command: runTests, report, alone: runAlone };

/** What starts processes, a browser or many seeds: minutes, and the same for every change. */
const proofs = [
  "proofs/{browser,context,corpus,crash,mutants,screens,session-chaos,tamper,vectors}/**",
  "proofs/{simulate,simulate-flows}/**",
  "tools/{commands,examples,one-file-agent,snippets}.test.ts",
  "examples/**",
  "apps/cli/src/{main,runs}.test.ts",
  "proofs/conformance/**",
  "packages/conformance/src/command.test.ts",
  "packages/operate/src/worker/open-live.test.ts",
  "packages/adapters/src/{postgres,redis,sqlite}/**",
];

/** `npm test`: types, unit tests, vectors and the repository itself; or a twelfth of the files. */
export function listTestSteps(twelfth?: number): readonly Step[] {
  const excluded = proofs.map((pattern) => `--exclude '${pattern}'`);
  const shard = twelfth === undefined ? [] : [`--shard=${(twelfth % 12) + 1}/12`];
  const command = [runTests, ...excluded, ...shard].join(" ");
  return [types, { ...tests, command }];
}

const e2eReport = "node_modules/.cache/turnseal-e2e.json";

/** `npm run test:e2e`: durable runs on real servers. It fails at once where there are none. */
export function listE2eSteps(given: readonly string[]): readonly Step[] {
  const json = `--reporter=minimal --reporter=json --outputFile.json=${e2eReport}`;
  const run = (files: readonly string[]) =>
    ["npx --no -- vitest run --config vitest.e2e.config.ts", json, ...files].join(" ");
  const alone = (files: readonly string[]) => run(["--no-file-parallelism", ...files]);
  return [
    { name: "servers", command: "node tools/check-servers.ts" },
    { name: "e2e", command: run(given), report: e2eReport, alone },
  ];
}

/** Up to the packages as they would be published. It needs PostgreSQL and Redis. */
const build: readonly Step[] = [
  { name: "format and lint", command: "npx --no -- biome ci --colors=off ." },
  { name: "promises", command: "npx --no -- oxlint --type-aware --deny-warnings" },
  types,
  tests,
  { name: "unused code", command: "npx --no -- knip" },
  { name: "build and pack", command: "node tools/release/pack.ts .turnseal/packed" },
  { name: "packages", command: "node tools/release/check-packages.ts .turnseal/packed" },
];

/** The packed packages as a newcomer gets them. */
const tryPacked: readonly Step[] = [
  { name: "installation", command: "node tools/release/try-installation.ts .turnseal/packed" },
  { name: "image", command: "node tools/release/try-image.ts .turnseal/packed" },
  { name: "creation", command: "node tools/release/try-creation.ts .turnseal/packed" },
  { name: "pages", command: "node tools/release/try-pages.ts .turnseal/packed" },
];

/** `npm run verify`: everything but durable runs end to end. */
export const VERIFY_STEPS = { build, try: tryPacked } as const;
