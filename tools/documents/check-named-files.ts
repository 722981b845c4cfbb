import type { Tree } from "../tidy/tree.ts";

const fence = /^(```+|~~~+)[^\n]*\n[\s\S]*?^\1[^\n]*$/gm;
const inlineCode = /`([^`\n]+)`/g;
const repositoryPath =
  /^(packages|apps|spec|docs|tools|proofs|examples|bench|e2e|\.ci)\/[A-Za-z0-9._/-]+[A-Za-z0-9/]$/;

/**
 * Files and folders that a document names as code and that do not exist. The specification names
 * files relative to itself.
 */
export function checkNamedFiles(tree: Tree): string[] {
  return [...tree]
    .filter(([path]) => path.endsWith(".md") && !path.startsWith("spec/"))
    .flatMap(([path, text]) =>
      Array.from(text.replace(fence, "").matchAll(inlineCode), (match) => match[1] ?? "")
        .filter((named) => repositoryPath.test(named) && !isThere(tree, named))
        .map((named) => `${path} names ${named}, which is not there`),
    );
}

function isThere(tree: Tree, named: string): boolean {
  if (tree.has(named)) return true;
  const folder = named.endsWith("/") ? named : `${named}/`;
  return [...tree.keys()].some((path) => path.startsWith(folder));
}
