/**
 * From the paths of a command line to the files that may hold loops.
 *
 * A named file is loaded or refused. From a folder, only possible loops are loaded: tests,
 * declarations, usual configuration files, hidden folders and `node_modules` are skipped.
 */
import { readdir, stat } from "node:fs/promises";
import { basename, extname, join, normalize } from "node:path";
import { WORKSPACE_VERBS } from "../../workspace.ts";
import { isMcpFile, PINS_FILE } from "../mcp/mcp-files.ts";

/** How many files one command reads. */
export const FILES_MAX = 2_000;

const extensions: ReadonlySet<string> = new Set([".json", ".toml", ".ts", ".mts", ".js", ".mjs"]);
const passedOver =
  /^(package|package-lock|tsconfig.*|biome|deno)\.json$|\.(test|spec|config|harness)\.|\.d\.m?ts$/;

export type ListedFiles =
  | { readonly kind: "listed"; readonly files: readonly string[] }
  | { readonly kind: "unusable"; readonly message: string };

/** Lists the files behind `paths`: in their order, a folder's by name, none twice. */
export async function listFiles(paths: readonly string[]): Promise<ListedFiles> {
  const files = new Set<string>();
  for (const path of paths) {
    const listed = await listPath(path);
    if (listed.kind === "unusable") return listed;
    for (const file of listed.files) files.add(normalize(file));
    if (files.size > FILES_MAX) return unusable(`more than ${FILES_MAX} files`);
  }
  return { kind: "listed", files: [...files] };
}

/** True for a name that reads like a file's rather than a loop's. */
export function isFileName(name: string): boolean {
  return extensions.has(extname(name)) || /^(\.{0,2}[/\\]|[A-Za-z]:\\)/.test(name);
}

/** True for a file that is code; the others are documents. */
export function isModule(file: string): boolean {
  return extname(file) !== ".json" && extname(file) !== ".toml" && file !== WORKSPACE_VERBS;
}

/** True for a file that may be a workflow. */
export function isWorkflowFile(file: string): boolean {
  return extname(file) === ".toml" && !isMcpFile(file);
}

async function listPath(path: string): Promise<ListedFiles> {
  if (path === WORKSPACE_VERBS) return { kind: "listed", files: [path] };
  const found = await stat(path).catch(() => undefined);
  if (found === undefined) return unusable(`${path} does not exist`);
  if (found.isDirectory()) return listFolder(path);
  if (extensions.has(extname(path))) return { kind: "listed", files: [path] };
  return unusable(`${path} is not a loop document: expected one of ${[...extensions].join(" ")}`);
}

async function listFolder(folder: string): Promise<ListedFiles> {
  const files: string[] = [];
  const waiting = [folder];
  for (let next = waiting.pop(); next !== undefined; next = waiting.pop()) {
    const entries = await readdir(next, { withFileTypes: true });
    entries.sort((a, b) => (a.name < b.name ? -1 : 1));
    for (const { name, ...entry } of entries.map(describeEntry)) {
      if (entry.isFolder && isFolderTaken(name)) waiting.push(join(next, name));
      if (entry.isFile && isFileTaken(name)) files.push(join(next, name));
    }
    if (files.length > FILES_MAX) break;
  }
  if (files.length === 0) return unusable(`${folder} holds no loop document`);
  return { kind: "listed", files: files.sort() };
}

function describeEntry(entry: { name: string; isDirectory(): boolean; isFile(): boolean }) {
  return { name: entry.name, isFolder: entry.isDirectory(), isFile: entry.isFile() };
}

function isFolderTaken(name: string): boolean {
  return !name.startsWith(".") && name !== "node_modules";
}

function isFileTaken(name: string): boolean {
  const isSkipped = passedOver.test(basename(name)) || name === PINS_FILE;
  return extensions.has(extname(name)) && !isSkipped && name[0] !== ".";
}

function unusable(message: string): ListedFiles {
  return { kind: "unusable", message };
}
