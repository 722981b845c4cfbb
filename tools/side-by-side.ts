/**
 * The pages `docs/side-by-side.md` and `docs/side-by-side-research.md`: their programs are compiled
 * against the packages that they are written for, and each is tried as its page says.
 */
import { existsSync } from "node:fs";
import { join } from "node:path";
import pg from "pg";
import { readOptions } from "./command/read-options.ts";
import { run } from "./release/run.ts";
import { type Program, type Tried, tryProgram } from "./side-by-side/try-program.ts";
import { tryResearch } from "./side-by-side/try-research.ts";
import { repositoryRoot } from "./tidy/tree.ts";

readOptions({
  name: "node tools/side-by-side.ts",
  about: ["Compiles the programs of docs/side-by-side, and kills each in the middle."],
  needs: "PostgreSQL (TURNSEAL_TEST_POSTGRES_URL), the package registry, and a build of ours",
  lasts: "half a minute, and what the registry takes",
  options: {},
});

const command = join(repositoryRoot, "apps/cli/src/main.ts");
const result = JSON.stringify({ reference: "paid-1" });
/** The page's claims about each program: its requests to the bank, and its last output. */
const programs: readonly (Program & {
  readonly says: Omit<Tried, "after">;
  readonly commands: readonly (readonly string[])[];
  readonly after: readonly RegExp[];
})[] = [
  {
    ...{ name: "turnseal", again: [] },
    says: { payments: 1, keys: 1, said: "waiting" },
    commands: [
      [command, "resolve", "last", "happened", "--result", result],
      [join(repositoryRoot, "docs/side-by-side/turnseal.ts"), "A-17"],
      [command, "verify", "last"],
    ],
    after: [/./, /^Order A-17 is refunded\.$/m, /^✓ valid .*1 receipt(.|\n)*approved by ada/],
  },
  ...[
    { name: "ai-sdk", again: [] },
    { name: "langgraph", again: [] },
    { name: "mastra", again: ["approve"] },
  ].map((program) => ({
    ...program,
    says: { payments: 2, keys: 1, said: "Order A-17 is refunded." },
    ...{ commands: [], after: [] },
  })),
];

/** What the page on the fan-out says of each: requests to the model, and those made again. */
const researches = [
  { name: "turnseal", modelCalls: 5, answeredAgain: 0 },
  { name: "ai-sdk", modelCalls: 8, answeredAgain: 3 },
  { name: "langgraph", modelCalls: 5, answeredAgain: 0 },
];

const folder = join(repositoryRoot, "docs/side-by-side");
if (!existsSync(join(folder, "node_modules/.package-lock.json")))
  run(["npm", "ci", "--ignore-scripts", "--no-audit", "--no-fund", "--prefer-offline"], folder);
run(["node", join(repositoryRoot, "node_modules/ts7/bin/tsc"), "-p", folder], folder);

const server =
  process.env["TURNSEAL_TEST_POSTGRES_URL"] ?? "postgres://postgres@127.0.0.1:5432/test";
const database = `turnseal_side_by_side_${process.pid}`;
await askServer(`create database ${database}`);
try {
  const databaseUrl = Object.assign(new URL(server), { pathname: database }).href;
  const problems = [
    ...(await Promise.all(programs.map((program) => check(program, databaseUrl)))),
    ...(await Promise.all(researches.map((program) => checkResearch(program, databaseUrl)))),
  ];
  const failed = problems.filter((problem) => problem !== undefined);
  for (const problem of failed) process.stdout.write(`${problem}\n`);
  process.stdout.write(`${problems.length - failed.length} passed, ${failed.length} failed\n`);
  process.exitCode = failed.length === 0 ? 0 : 1;
} finally {
  await askServer(`drop database ${database} with (force)`);
}

type Checked = (typeof programs)[number];

async function check(program: Checked, databaseUrl: string): Promise<string | undefined> {
  const { name, says, commands, after } = program;
  const tried = await tryProgram(program, { databaseUrl, commands });
  const isAsSaid =
    tried.payments === says.payments && tried.keys === says.keys && tried.said === says.said;
  return isAsSaid && after.every((pattern, index) => pattern.test(tried.after[index] ?? ""))
    ? undefined
    : `${name} is not as docs/side-by-side.md says: ${JSON.stringify(tried, undefined, 2)}`;
}

async function checkResearch(
  { name, ...says }: (typeof researches)[number],
  databaseUrl: string,
): Promise<string | undefined> {
  const { said, ...tried } = await tryResearch(name, databaseUrl);
  const isWhole = said.endsWith("without an answer: 1");
  return isWhole && JSON.stringify(tried) === JSON.stringify(says)
    ? undefined
    : `${name} is not as docs/side-by-side-research.md says: ${said} ${JSON.stringify(tried)}`;
}

async function askServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: server });
  await client.connect();
  await client.query(sql);
  await client.end();
}
