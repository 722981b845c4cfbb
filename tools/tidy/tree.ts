import { readdirSync, readFileSync } from "node:fs";
import { join, matchesGlob, resolve } from "node:path";

/** The text of every file of a repository, by its path with forward slashes. */
export type Tree = ReadonlyMap<string, string>;

/** The root of this repository. */
export const repositoryRoot = resolve(import.meta.dirname, "../..");

/**
 * Reads everything that is not ignored. It needs no git, so that an unpacked archive is checked
 * too.
 */
export function readTree(root: string): Tree {
  const ignored = [".git/", ...readFileSync(join(root, ".gitignore"), "utf8").split("\n")]
    .map((line) => line.trim())
    .filter((line) => line !== "" && !line.startsWith("#"));
  const tree = new Map<string, string>();
  const visit = (folder: string): void => {
    for (const entry of readdirSync(join(root, folder), { withFileTypes: true })) {
      const path = folder === "" ? entry.name : `${folder}/${entry.name}`;
      if (ignored.some((pattern) => isIgnored(path, entry.isDirectory(), pattern))) continue;
      if (entry.isDirectory()) visit(path);
      else if (entry.isFile()) tree.set(path, readFileSync(join(root, path), "utf8"));
    }
  };
  visit("");
  return tree;
}

/** Understands the lines that our .gitignore has: `name/`, `*.ending` and `/rooted/path/`. */
export function isIgnored(path: string, isFolder: boolean, pattern: string): boolean {
  if (pattern.endsWith("/") && !isFolder) return false;
  const plain = pattern.replace(/\/$/, "");
  if (plain.startsWith("/")) return path === plain.slice(1);
  return matchesGlob(path.slice(path.lastIndexOf("/") + 1), plain);
}

/** A file that only tests run: a test, or data, a fixture or a process of one. */
export function isTestFile(path: string): boolean {
  return /\.(test|test-d|test\.data|test\.process)\.ts$|\/__fixtures__\//.test(path);
}

/** The TypeScript of the repository, tests included. */
export function listSources(tree: Tree): string[] {
  return [...tree.keys()].filter((path) => path.endsWith(".ts") && !path.endsWith(".d.ts")).sort();
}
