/**
 * The fences of the documents, laid out as files that can be compiled and run.
 *
 * They compile against the source of the packages, and run against the packages as they are
 * published. The folder lies outside `node_modules`, where Node strips no types. Each document has
 * a folder of its own: its fences see only each other's files.
 */
import { execFile } from "node:child_process";
import { chmodSync, existsSync, mkdirSync, rmSync, symlinkSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { PUBLISHED_FOLDERS } from "../packages/package-folders.ts";
import { readManifest } from "../packages/read-manifest.ts";
import { stagePackage } from "../packages/stage-package.ts";
import { repositoryRoot } from "../tidy/tree.ts";
import { type Fence, readMark } from "./list-fences.ts";

const execute = promisify(execFile);
const folder = join(repositoryRoot, ".turnseal/snippets");
const modules = join(folder, "node_modules");
const TIMEOUT_MS = 60_000;

const compilerOptions = {
  composite: false,
  declaration: false,
  noEmit: true,
  types: ["node"],
};

/** Writes every fence that is code or names a file. */
export async function writeSnippets(fences: readonly Fence[]): Promise<void> {
  removeSnippets();
  await installPackages();
  // Commands in a sandbox have another account. It must reach their workspace.
  chmodSync(dirname(folder), 0o755);
  const config = {
    extends: "../../tsconfig.base.json",
    compilerOptions,
    include: ["**/*.ts"],
    exclude: ["node_modules"],
  };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  for (const fence of fences.filter(isWritten)) {
    const file = fileOf(fence);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${fence.text}\n`);
  }
}

/** The packages, where imports of a snippet and its commands find them. */
async function installPackages(): Promise<void> {
  for (const packageFolder of PUBLISHED_FOLDERS) {
    const stage = join(modules, readManifest(packageFolder).name);
    await stagePackage(packageFolder, stage);
    // Versions that differ from those of the repository.
    const own = join(repositoryRoot, packageFolder, "node_modules");
    if (existsSync(own)) symlinkSync(own, join(stage, "node_modules"));
  }
  mkdirSync(join(modules, ".bin"));
  symlinkSync("../turnseal/bin/turnseal.js", join(modules, ".bin/turnseal"));
}

export function removeSnippets(): void {
  rmSync(folder, { recursive: true, force: true });
}

/**
 * Compiles all snippets together; answers with what the compiler says, nothing when it is content.
 */
export async function compileSnippets(): Promise<string> {
  const compiler = join(repositoryRoot, "node_modules/ts7/bin/tsc");
  try {
    await execute(process.execPath, [compiler, "-p", folder, "--pretty", "false"]);
    return "";
  } catch (error) {
    return readOutput(error);
  }
}

/** Runs a snippet and answers with what it printed; throws when it fails. */
export async function runSnippet(fence: Fence): Promise<string> {
  const file = fileOf(fence);
  const cwd = documentFolder(fence);
  mkdirSync(cwd, { recursive: true });
  const [command, args] =
    fence.language === "sh" ? ["sh", ["-ec", fence.text]] : [process.execPath, [file]];
  const { stdout } = await execute(command, args, { cwd, env: environment(), timeout: TIMEOUT_MS });
  return stdout.trim();
}

// Drops the reader's environment: a key in it must not make a test call a provider.
function environment(): NodeJS.ProcessEnv {
  const { PATH = "", NODE_COMPILE_CACHE } = process.env;
  const folders = [dirname(process.execPath), join(modules, ".bin")];
  return { PATH: [...folders, PATH].join(delimiter), NO_COLOR: "1", NODE_COMPILE_CACHE };
}

function isWritten(fence: Fence): boolean {
  if (readMark(fence, "file") !== undefined) return true;
  const isShown = fence.marks.includes("before") || readMark(fence, "from") !== undefined;
  return fence.language === "ts" && !isShown;
}

function documentFolder({ document }: Fence): string {
  return join(folder, document.replaceAll("/", "-").replace(/\.md$/, ""));
}

function fileOf(fence: Fence): string {
  const name = readMark(fence, "file") ?? `line-${fence.line}.ts`;
  return join(documentFolder(fence), name);
}

function readOutput(error: unknown): string {
  const isOutput = error instanceof Error && "stdout" in error;
  return isOutput ? String(error.stdout) : String(error);
}
