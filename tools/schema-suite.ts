import { readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createExecutor, createRegistry } from "@turnseal/kernel";
import { randomIds, systemClock } from "@turnseal/ports";
import { json, words } from "./command/options.ts";
import { readOptions, refuseUse } from "./command/read-options.ts";

const debianFolder =
  "/usr/share/perl5/auto/share/dist/Test-JSON-Schema-Acceptance/tests/draft2020-12";
const allowedRules = new Set(["schema-reference", "schema-invalid", "name-reserved"]);
/** Refusals are a promise too: more of them than this would be a smaller dialect. */
const REFUSED_MAX = 150;

interface Group {
  readonly description: string;
  readonly schema: unknown;
  readonly tests: readonly {
    readonly description: string;
    readonly data: unknown;
    readonly valid: boolean;
  }[];
}

interface Tally {
  passed: number;
  readonly refused: Map<string, number>;
  readonly failures: string[];
}

const command = {
  name: "npm run schema-suite",
  about: [
    "Runs the official JSON Schema test suite, draft 2020-12, through the public API: each schema is",
    "registered as the input schema of a loop, each value is an input to it. A schema may be refused",
    "only by the rules that the specification names: what lies outside the schema, identities inside",
    "it, and dynamic references. Everything else must be answered as the suite says, or the end is 1.",
  ],
  needs: "the suite, which Debian has in the package libtest-json-schema-acceptance-perl",
  lasts: "seconds",
  options: {
    folder: words({ takes: "folder", says: "where the suite is", default: debianFolder }),
    json,
  },
};
const options = readOptions(command);
if (statSync(options.folder, { throwIfNoEntry: false })?.isDirectory() !== true)
  refuseUse(
    command,
    `--folder: no suite in ${options.folder}: apt-get install libtest-json-schema-acceptance-perl`,
  );
const tally: Tally = { passed: 0, refused: new Map(), failures: [] };
for (const file of readdirSync(options.folder).filter((name) => name.endsWith(".json"))) {
  const groups = JSON.parse(readFileSync(join(options.folder, file), "utf8")) as Group[];
  for (const group of groups) await runGroup(file, group);
}
report();

async function runGroup(file: string, { description, schema, tests }: Group): Promise<void> {
  const registry = createRegistry();
  const registration = registry.register({
    id: "suite",
    name: "suite",
    version: "1.0.0",
    kind: "tool",
    inputSchema: schema,
    outputSchema: true,
    tool: { implementation: "builtin:echo" },
  });
  if (registration.kind === "refused") {
    const rule = registration.problems[0]?.rule ?? "none";
    refuse(rule, tests.length);
    if (!allowedRules.has(rule)) tally.failures.push(`${file}: ${description}: refused by ${rule}`);
    return;
  }
  const executor = createExecutor({ registry, clock: systemClock, ids: randomIds });
  for (const { description: value, data, valid } of tests) {
    const { status } = await executor.call("suite", data);
    if ((status === "ok") === valid) tally.passed++;
    // No value may have a field of that name, whatever its schema says.
    else if (status === "error" && JSON.stringify(data).includes('"__proto__":'))
      refuse("name-reserved", 1);
    else tally.failures.push(`${file}: ${description}: ${value}`);
  }
}

function refuse(rule: string, count: number): void {
  tally.refused.set(rule, (tally.refused.get(rule) ?? 0) + count);
}

function report(): void {
  const { passed, refused, failures } = tally;
  const refusedCount = [...refused.values()].reduce((sum, count) => sum + count, 0);
  const pass = failures.length === 0 && refusedCount <= REFUSED_MAX && passed > 0;
  for (const failure of failures) console.log(`FAIL ${failure}`);
  console.table({ "as the suite says": passed, ...Object.fromEntries(refused) });
  if (options.json) {
    const figures = { passed, failed: failures.length, refused: Object.fromEntries(refused) };
    console.log(JSON.stringify({ figures, goals: { failed: 0, refusedMax: REFUSED_MAX }, pass }));
  } else console.log(`${passed} passed, ${failures.length} failed`);
  process.exitCode = pass ? 0 : 1;
}
