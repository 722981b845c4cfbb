/**
 * The fences of the documents, laid out as files that can be compiled and run.
 *
 * The folder lies in the repository, so that imports find the packages from source, and outside
 * `node_modules`, where Node strips no types. Each document has a folder of its own: its fences see
 * each other's files and nobody else's.
 */
import { execFile } from "node:child_process";
import { mkdirSync, rmSync, writeFileSync } from "node:fs";
import { delimiter, dirname, join } from "node:path";
import { promisify } from "node:util";
import { repositoryRoot } from "../tidy/tree.ts";
import { type Fence, readMark } from "./list-fences.ts";

const execute = promisify(execFile);
const folder = join(repositoryRoot, ".turnseal/snippets");
const TIMEOUT_MS = 60_000;

const compilerOptions = {
  composite: false,
  declaration: false,
  noEmit: true,
  types: ["node"],
};

/** Writes every fence that is code or names a file. */
export function writeSnippets(fences: readonly Fence[]): void {
  removeSnippets();
  mkdirSync(folder, { recursive: true });
  const config = { extends: "../../tsconfig.base.json", compilerOptions, include: ["**/*.ts"] };
  writeFileSync(join(folder, "tsconfig.json"), JSON.stringify(config));
  for (const fence of fences.filter(isWritten)) {
    const file = fileOf(fence);
    mkdirSync(dirname(file), { recursive: true });
    writeFileSync(file, `${fence.text}\n`);
  }
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
    fence.language === "sh"
      ? ["sh", ["-ec", fence.text]]
      : [process.execPath, ["--conditions=turnseal-source", file]];
  const { stdout } = await execute(command, args, { cwd, env: environment(), timeout: TIMEOUT_MS });
  return stdout.trim();
}

// Nothing of the reader's environment: a key in it must not make a test ask a provider.
function environment(): NodeJS.ProcessEnv {
  const { PATH = "", NODE_COMPILE_CACHE } = process.env;
  const folders = [dirname(process.execPath), join(repositoryRoot, "node_modules/.bin")];
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
