import { existsSync } from "node:fs";
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { basename, dirname, join, resolve } from "node:path";
import {
  type ProjectFiles,
  type ProjectRequest,
  PURPOSES,
  type Purpose,
  readProjectFiles,
} from "@turnseal/runtime/project";
import { line, renderNext, type Terminal, toned } from "@turnseal/terminal";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { RefusalError } from "../terminal/refusal.ts";
import { locateShipped, type WorkflowName } from "../terminal/shipped-workflows.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import type { ExampleName } from "./example-names.ts";
import { openAsking } from "./open-asking.ts";
import { writeWorkflow } from "./write-workflow.ts";

export interface InitOptions {
  readonly for?: Purpose;
  readonly example?: ExampleName;
  readonly workflow?: WorkflowName;
}

/** The first is made where nothing is chosen. */
const NAMES = ["chat", "code", "money", "pipeline"] as const satisfies readonly Purpose[];

/** The folder of a project that is not named. */
const FOLDER_DEFAULT = "my-agent";

/** `turnseal init`: a project that runs at once, in a folder that is new or empty. */
export async function runInit(
  folder: string | undefined,
  options: InitOptions,
  surroundings: Surroundings & { readonly version: string },
): Promise<ExitCode> {
  const { terminal } = surroundings;
  if (options.workflow !== undefined)
    return writeWorkflow(options.workflow, { ...options, folder }, surroundings);
  if (options.example !== undefined && options.for !== undefined)
    throw new RefusalError(
      "--example excludes --for: an example is shipped as it is",
      `turnseal init --example ${options.example}`,
    );
  const named = folder ?? options.example ?? FOLDER_DEFAULT;
  const path = resolve(named);
  if (await isOccupied(path))
    throw new RefusalError(
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
  { example, for: given }: InitOptions,
  surroundings: Surroundings,
): Promise<ProjectRequest["content"]> {
  if (example !== undefined) return { kind: "example", example };
  const asking = given === undefined ? openAsking(surroundings) : undefined;
  try {
    const purpose = given ?? (await asking?.ask("What for?", NAMES)) ?? NAMES[0];
    return { kind: "template", purpose };
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

interface MadeProject {
  readonly named: string;
  readonly request: ProjectRequest;
}

function reportProject({ named, request: { content } }: MadeProject, { out }: Terminal): void {
  const what =
    content.kind === "example" ? `the example ${content.example}` : PURPOSES[content.purpose];
  out.writeLine(line(toned("good", "✓ "), `${named}  ${what}`));
  const install = resolve(named) === resolve() ? "npm install" : `cd ${named} && npm install`;
  out.writeLine(renderNext(install));
  out.writeLine(line("        npm start"));
  if (content.kind === "template") out.writeLine(line(toned("faint", KEY_HINT)));
}

const KEY_HINT =
  "  A script answers. Set OPENAI_API_KEY, ANTHROPIC_API_KEY or GOOGLE_GENERATIVE_AI_API_KEY " +
  "for a model.";

function locate(content: ProjectRequest["content"]): string {
  return locateShipped(
    content.kind === "template" ? `templates/${content.purpose}/` : `examples/${content.example}/`,
  );
}
