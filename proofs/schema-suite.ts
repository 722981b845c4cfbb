import { existsSync, readdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { createExecutor, createRegistry } from "@turnseal/kernel";
import { randomIds, systemClock } from "@turnseal/ports";
import { json, words } from "../tools/command/options.ts";
import { readOptions, refuseUse } from "../tools/command/read-options.ts";

const debianFolder = "/usr/share/perl5/auto/share/dist/Test-JSON-Schema-Acceptance/tests";
const allowedRules = new Set(["schema-reference", "schema-invalid", "name-reserved"]);
/**
 * The drafts of the suite, the `$schema` of their schemas, and how many cases of each may be
 * refused. Refusals are a promise too: more of them than this would be a smaller dialect.
 */
const drafts = [
  { folder: "draft2020-12", url: "https://json-schema.org/draft/2020-12/schema", refusedMax: 150 },
  { folder: "draft2019-09", url: "https://json-schema.org/draft/2019-09/schema", refusedMax: 250 },
  { folder: "draft7", url: "http://json-schema.org/draft-07/schema#", refusedMax: 180 },
  { folder: "draft6", url: "http://json-schema.org/draft-06/schema#", refusedMax: 170 },
  { folder: "draft4", url: "http://json-schema.org/draft-04/schema#", refusedMax: 150 },
] as const;
/** What loop.md enforces; the suite has them as options, each in a file of its name. */
const formats = [
  ...["date", "date-time", "email", "hostname", "ipv4", "ipv6"],
  ...["time", "uri", "uri-reference", "uuid"],
];

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
  name: "npm run proof schema-suite",
  about: [
    "Runs the official JSON Schema test suite, drafts 04 to 2020-12, through the public API: each",
    "schema is registered as the input schema of a loop, each value is an input to it. It may",
    "be refused only by the rules that the specification names: what lies outside the schema,",
    "identities inside it, dynamic references, and what an older draft means otherwise. All else",
    "must be answered as the suite says, or the end is 1. Formats are held to its options.",
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
const tallies = new Map<string, Tally>();
for (const { folder, url } of drafts) {
  const tally: Tally = { passed: 0, refused: new Map(), failures: [] };
  tallies.set(folder, tally);
  for (const file of listSuite(folder))
    for (const group of JSON.parse(readFileSync(join(options.folder, file), "utf8")) as Group[])
      if (isOurs(file, group)) await runGroup(file, declare(group, url), tally);
}
report();

function listSuite(draft: string): string[] {
  const files = readdirSync(join(options.folder, draft)).filter((name) => name.endsWith(".json"));
  const optional = formats.map((format) => `optional/format/${format}.json`);
  const present = optional.filter((file) => existsSync(join(options.folder, draft, file)));
  return [...files, ...present].map((file) => join(draft, file));
}

/** Without what says that formats are annotations, and what looks into punycode labels. */
function isOurs(file: string, { schema, tests }: Group): boolean {
  if (file.endsWith("optional/format/hostname.json"))
    return !tests.some(({ data }) => String(data).startsWith("xn--"));
  const format = typeof schema === "object" ? Object(schema).format : undefined;
  return !(file.endsWith("/format.json") && formats.includes(String(format)));
}

/** The schemas of older drafts do not say which they are. */
function declare(group: Group, url: string): Group {
  const { schema } = group;
  return typeof schema === "object" ? { ...group, schema: { $schema: url, ...schema } } : group;
}

async function runGroup(
  file: string,
  { description, schema, tests }: Group,
  tally: Tally,
): Promise<void> {
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
    refuse(tally, rule, tests.length);
    if (!allowedRules.has(rule)) tally.failures.push(`${file}: ${description}: refused by ${rule}`);
    return;
  }
  const executor = createExecutor({ registry, clock: systemClock, ids: randomIds });
  for (const { description: value, data, valid } of tests) {
    const { status } = await executor.call("suite", data);
    if ((status === "ok") === valid) tally.passed++;
    // No value may have a field of that name, under any schema.
    else if (status === "error" && JSON.stringify(data).includes('"__proto__":'))
      refuse(tally, "name-reserved", 1);
    else tally.failures.push(`${file}: ${description}: ${value}`);
  }
}

function refuse({ refused }: Tally, rule: string, count: number): void {
  refused.set(rule, (refused.get(rule) ?? 0) + count);
}

function report(): void {
  const rows = drafts.map(({ folder, refusedMax }) => {
    const { passed = 0, refused = new Map(), failures = [] } = tallies.get(folder) ?? {};
    for (const failure of failures) console.log(`FAIL ${failure}`);
    const refusedCount = [...refused.values()].reduce((sum, count) => sum + count, 0);
    return { draft: folder, passed, failed: failures.length, refused: refusedCount, refusedMax };
  });
  const pass = rows.every(
    ({ passed, failed, refused, refusedMax }) =>
      passed > 0 && failed === 0 && refused <= refusedMax,
  );
  console.table(rows);
  if (options.json) console.log(JSON.stringify({ figures: rows, goals: { failed: 0 }, pass }));
  process.exitCode = pass ? 0 : 1;
}
