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
