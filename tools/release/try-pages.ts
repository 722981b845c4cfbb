/**
 * The pages for newcomers, typed word for word in empty folders outside the repository, with the
 * packages as they would be published. Commands must print what the pages show. Each step is
 * reported with its seconds. `node tools/release/try-pages.ts <folder with tarballs> [part of a
 * page's name]`
 */
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir, userInfo } from "node:os";
import { delimiter, join, resolve } from "node:path";
import { type Fence, listFences } from "../documents/list-fences.ts";
import { repositoryRoot } from "../tidy/tree.ts";
import { findUnprinted } from "./match-output.ts";
import { run } from "./run.ts";
import { serveRegistry } from "./serve-registry.ts";
import { planPage, type TypedStep, typePage } from "./typed-page.ts";

/** Commands of a page end so: done, waiting for a person, or found invalid on purpose. */
const ENDS: ReadonlySet<number> = new Set([0, 2, 3]);

interface Page {
  readonly document: string;
  /** The section whose fences are typed; without one all are. */
  readonly section?: string;
  /** What the page takes for granted. */
  readonly before: readonly string[];
}

const begin = ["npm init -y > npm.txt", "npm pkg set type=module"];
const pages: readonly Page[] = [
  {
    document: "README.md",
    section: "Twenty lines",
    before: [...begin, "npm install turnseal zod"],
  },
  { document: "docs/guide/survive-a-kill.md", before: [] },
  { document: "docs/guide/approval-gated-tool.md", before: begin },
  { document: "docs/guide/memory.md", before: begin },
  { document: "docs/guide/files.md", before: begin },
  { document: "docs/guide/chat.md", before: begin },
];

const packed = resolve(process.argv[2] ?? ".turnseal/packed");
const upstream = run(["npm", "config", "get", "registry"], packed).trim();
const folder = mkdtempSync(join(tmpdir(), "turnseal-pages-"));
const registry = await serveRegistry(packed, upstream);
const env = {
  ...process.env,
  PATH: ["node_modules/.bin", process.env["PATH"]].join(delimiter),
  ...{ npm_config_registry: registry.url, npm_config_cache: join(folder, "cache") },
  ...{ npm_config_yes: "true", npm_config_audit: "false", npm_config_fund: "false" },
  ...{ npm_config_ignore_scripts: "true", npm_config_update_notifier: "false", NO_COLOR: "1" },
};
const problems: string[] = [];
try {
  const wanted = pages.filter(({ document }) => document.includes(process.argv[3] ?? ""));
  for (const [index, page] of wanted.entries()) await tryPage(page, join(folder, `page-${index}`));
} finally {
  registry.close();
  rmSync(folder, { recursive: true, force: true });
}
for (const problem of problems) process.stdout.write(`${problem}\n`);
process.stdout.write(`${problems.length === 0 ? "every page is true" : "not true"}\n`);
process.exitCode = problems.length === 0 ? 0 : 1;

async function tryPage(page: Page, place: string): Promise<void> {
  mkdirSync(place);
  const title = [page.document, page.section].filter((part) => part !== undefined).join(": ");
  const before = page.before.map((command) => ({ command }));
  const planned = [...before, ...planPage(listTyped(page), place)];
  const steps = await typePage(planned, { folder: place, env });
  const sum = steps.reduce((total, { seconds }) => total + seconds, 0);
  process.stdout.write(`\n${title}: ${steps.length} steps, ${sum.toFixed(1)} s\n`);
  for (const { seconds, status, command } of steps)
    process.stdout.write(`${seconds.toFixed(1).padStart(7)} s  ${status}  ${command}\n`);
  if (steps.length < planned.length) problems.push(`${title} ended at step ${steps.length + 1}`);
  problems.push(...listProblems(steps).map((problem) => `${title}: ${problem}`));
}

function listTyped({ document, section }: Page): Fence[] {
  const text = readFileSync(join(repositoryRoot, document), "utf8");
  if (section === undefined) return listFences(document, text);
  const part = text.split("\n## ").find((each) => each.startsWith(`${section}\n`));
  if (part === undefined) throw new Error(`${document} has no section ${section}`);
  return listFences(document, part);
}

/** Any command since the previous text may have printed this one. */
function listProblems(steps: readonly TypedStep[]): string[] {
  let printed = "";
  return steps.flatMap(({ command, status, out, shown }) => {
    printed += out;
    const wrongEnd = ENDS.has(status) ? [] : [`${command} ended with ${status}\n${out}`];
    if (shown === undefined) return wrongEnd;
    const missing = findUnprinted(shown, printed, userInfo().username);
    const said = printed;
    printed = "";
    if (missing === undefined) return wrongEnd;
    return [...wrongEnd, `${command} did not print\n${missing}\nbut\n${said}`];
  });
}
