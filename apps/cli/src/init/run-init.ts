import { existsSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import {
  KEYS,
  type Key,
  type ProjectFiles,
  type ProjectRequest,
  PURPOSES,
  type Purpose,
  readProjectFiles,
} from "@turnseal/runtime/project";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { line, toned } from "../terminal/line.ts";
import { reportUsage } from "../terminal/report-usage.ts";
import type { Terminal } from "../terminal/screen.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import type { ExampleName } from "./example-names.ts";
import { openAsking } from "./open-asking.ts";

export interface InitOptions {
  readonly for?: Purpose;
  readonly key?: Key;
  readonly example?: ExampleName;
}

/** The folder of a project that is not named. */
const FOLDER_DEFAULT = "my-agent";

/** `turnseal init`: a project that runs at once, in a folder that is new or empty. */
export async function runInit(
  folder: string | undefined,
  options: InitOptions,
  surroundings: Surroundings & { readonly version: string },
): Promise<ExitCode> {
  const { terminal } = surroundings;
  if (options.example !== undefined && (options.for ?? options.key) !== undefined)
    return reportUsage(
      terminal,
      "--example excludes --for and --key: an example is shipped as it is",
      `turnseal init --example ${options.example}`,
    );
  const named = folder ?? options.example ?? FOLDER_DEFAULT;
  const path = resolve(named);
  if (await isOccupied(path))
    return reportUsage(
      terminal,
      `${named} exists and is not an empty folder: nothing was written`,
      ["turnseal init", await findFree(named, options), ...listOptions(options)].join(" "),
    );
  const content = await chooseContent(options, surroundings);
  const { version } = surroundings;
  const request: ProjectRequest = { name: toPackageName(basename(path)), version, content };
  await writeProject(path, await readProjectFiles(request, locate(content)));
  reportProject({ named, request }, terminal);
  return EXIT_CODES.done;
}

async function chooseContent(
  { example, for: given, key: givenKey }: InitOptions,
  surroundings: Surroundings,
): Promise<ProjectRequest["content"]> {
  if (example !== undefined) return { kind: "example", example };
  const isSaid = given !== undefined && givenKey !== undefined;
  const asking = isSaid ? undefined : openAsking(surroundings);
  try {
    const purpose = given ?? (await asking?.ask("What for?", PURPOSES)) ?? "task";
    const key = givenKey ?? (await asking?.ask("Which provider answers?", KEYS)) ?? "none";
    return { kind: "template", purpose, key };
  } finally {
    asking?.close();
  }
}

/** Only what is new is written: a folder with anything in it but its repository is left alone. */
async function isOccupied(path: string): Promise<boolean> {
  if (!existsSync(path)) return false;
  const entries = await readdir(path).catch(() => [path]);
  return entries.some((name) => name !== ".git");
}

/** Beside what is taken; in it, where it was named by where it stands and not by a name. */
async function findFree(named: string, { example }: InitOptions): Promise<string> {
  const last = basename(named);
  const isPlace = ["", ".", ".."].includes(last);
  const wanted = isPlace ? join(named, example ?? FOLDER_DEFAULT) : join(dirname(named), last);
  let free = wanted;
  for (let count = 2; await isOccupied(resolve(free)); count++) free = `${wanted}-${count}`;
  return free;
}

function listOptions(options: InitOptions): string[] {
  return Object.entries(options).map(([name, value]) => `--${name} ${value}`);
}

async function writeProject(path: string, files: ProjectFiles): Promise<void> {
  for (const [name, text] of files) {
    const file = join(path, name);
    await mkdir(dirname(file), { recursive: true });
    await writeFile(file, text, { flag: "wx" });
  }
}

/** A name that npm takes. */
function toPackageName(name: string): string {
  const plain = name.toLowerCase().replaceAll(/[^a-z0-9._-]+/g, "-");
  return plain.replace(/^[._-]+/, "").slice(0, 100) || FOLDER_DEFAULT;
}

const STARTS: Readonly<Record<Purpose, string>> = {
  task: `refund --input '{"order":"A-17"}'`,
  chat: `assistant --input '{"text":"Book a table"}' --await message`,
  workflow: `announce --input '{"topic":"the new office"}'`,
};

interface MadeProject {
  readonly named: string;
  readonly request: ProjectRequest;
}

function reportProject({ named, request: { content } }: MadeProject, { out }: Terminal): void {
  const steps = content.kind === "example" ? ["node main.ts"] : listSteps(content);
  const what =
    content.kind === "example"
      ? `the example ${content.example}`
      : `a ${content.purpose}, ${content.key === "none" ? "without a key" : `with ${content.key}`}`;
  out.writeLine(line(toned("good", "✓ "), `${named}  ${what}`));
  const install = resolve(named) === resolve() ? "npm install" : `cd ${named} && npm install`;
  const [first, ...others] = [install, ...steps];
  out.writeLine(line("  ", toned("faint", "next: "), first ?? ""));
  for (const step of others) out.writeLine(line("        ", step));
}

function listSteps({ purpose, key }: { readonly purpose: Purpose; readonly key: Key }): string[] {
  const start = `npx turnseal run ${STARTS[purpose]} --grant grant.json --policy policy.toml`;
  const needed = key === "none" ? [] : [`export ${KEY_VARIABLES[key]}=<your key>`];
  return [...needed, start, "npx turnseal approve last && npx turnseal resume"];
}

const KEY_VARIABLES: Readonly<Record<Exclude<Key, "none">, string>> = {
  openai: "OPENAI_API_KEY",
  anthropic: "ANTHROPIC_API_KEY",
  google: "GOOGLE_GENERATIVE_AI_API_KEY",
};

/** In the package they are beside the code, and in the repository above the packages. */
function locate(content: ProjectRequest["content"]): string {
  const name =
    content.kind === "template" ? `templates/${content.purpose}` : `examples/${content.example}`;
  const own = fileURLToPath(new URL(`../../${name}/`, import.meta.url));
  return existsSync(own) ? own : fileURLToPath(new URL(`../../../../${name}/`, import.meta.url));
}
