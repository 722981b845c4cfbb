import { posix } from "node:path";
import type { Tree } from "./tree.ts";

/** Documents that do not start with their only first-level heading. */
export function checkHeadings(tree: Tree): string[] {
  return listDocuments(tree).flatMap(([path, text]) => {
    const titles = withoutCode(text).match(/^# .+$/gm) ?? [];
    if (!/^# .+/.test(text)) return [`${path} does not start with its title`];
    return titles.length > 1 ? [`${path} has ${titles.length} titles`] : [];
  });
}

/** The most words of a page that newcomers read first. */
const WORDS_MAX: ReadonlyMap<string, number> = new Map([
  ["README.md", 900],
  ["ARCHITECTURE.md", 1_300],
]);

/** Front pages that have become too long to be read at once. */
export function checkLengths(tree: Tree): string[] {
  return [...WORDS_MAX].flatMap(([path, most]) => {
    const count = (tree.get(path) ?? "").split(/\s+/).filter((word) => word !== "").length;
    return count > most ? [`${path} has ${count} words, and ${most} are allowed`] : [];
  });
}

/** Pages of `docs` that no README of `docs` links to. */
export function checkIndexed(tree: Tree): string[] {
  const pages = listDocuments(tree).filter(([path]) => path.startsWith("docs/"));
  const linked = new Set(pages.filter(isIndex).flatMap(([path, text]) => listTargets(path, text)));
  return pages
    .filter((page) => !isIndex(page) && !linked.has(page[0]))
    .map(([path]) => `${path} is in no README of docs`);
}

function isIndex([path]: readonly [string, string]): boolean {
  return path.endsWith("/README.md");
}

function listTargets(from: string, text: string): string[] {
  return Array.from(withoutCode(text).matchAll(/\]\(([^()\s#]+)/g), ([, link = ""]) =>
    posix.join(posix.dirname(from), link),
  );
}

/** Relative links that lead to no file, no folder or no heading. */
export function checkLinks(tree: Tree): string[] {
  return listDocuments(tree).flatMap(([path, text]) =>
    Array.from(withoutCode(text).matchAll(/\]\(([^()\s]+)\)/g), (match) => match[1] ?? "")
      .filter((link) => !/^[a-z]+:/.test(link) && !isResolved(tree, path, link))
      .map((link) => `${path} links to ${link}, which is not there`),
  );
}

function isResolved(tree: Tree, from: string, link: string): boolean {
  const [file = "", anchor] = link.split("#");
  const target = file === "" ? from : posix.join(posix.dirname(from), decodeURIComponent(file));
  const text = tree.get(target);
  if (text === undefined) {
    const folder = target.endsWith("/") ? target : `${target}/`;
    return anchor === undefined && [...tree.keys()].some((path) => path.startsWith(folder));
  }
  if (anchor === undefined || !target.endsWith(".md")) return true;
  return listAnchors(text).includes(anchor);
}

/** The anchors of headings, as GitHub makes them. */
function listAnchors(text: string): string[] {
  return Array.from(withoutCode(text).matchAll(/^#+ (.+)$/gm), ([, heading = ""]) =>
    heading
      .toLowerCase()
      .replace(/[^\p{Letter}\p{Number} _-]/gu, "")
      .replaceAll(" ", "-"),
  );
}

function listDocuments(tree: Tree): [string, string][] {
  return [...tree].filter(([path]) => path.endsWith(".md"));
}

function withoutCode(text: string): string {
  return text.replace(/^(```+|~~~+)[^\n]*\n[\s\S]*?^\1[^\n]*$/gm, "");
}
