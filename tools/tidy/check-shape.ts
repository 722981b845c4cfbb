import ts from "typescript";
import { parseSource, placeOf, visitNodes } from "./parse-source.ts";
import { isTestFile, listSources, type Tree } from "./tree.ts";

/** Statements of an `index.ts` that do not list exports from elsewhere one by one. */
export function checkIndexFiles(tree: Tree): string[] {
  return listSources(tree)
    .filter((path) => /^(packages|apps)\/.*\/index\.ts$/.test(path))
    .flatMap((path) => [...parseSource(tree, path).statements])
    .filter((node) => !isExportList(node))
    .map((node) => `${placeOf(node)} lists no exports of another file`);
}

/** `export *` shows nobody what is exported. */
function isExportList(node: ts.Statement): boolean {
  if (!ts.isExportDeclaration(node) || node.moduleSpecifier === undefined) return false;
  return node.exportClause !== undefined && ts.isNamedExports(node.exportClause);
}

/** Classes that extend another one and are no error. */
export function checkInheritance(tree: Tree): string[] {
  const problems: string[] = [];
  for (const path of listSources(tree)) {
    visitNodes(parseSource(tree, path), (node) => {
      if (!ts.isClassLike(node)) return;
      const isExtending = node.heritageClauses?.some(
        ({ token }) => token === ts.SyntaxKind.ExtendsKeyword,
      );
      const isError = node.name?.text.endsWith("Error") ?? false;
      if (isExtending && !isError) problems.push(`${placeOf(node)} extends a class`);
    });
  }
  return problems;
}

const modifiers = new Set(["skip", "only", "todo", "fails", "failing"]);
const runners = new Set(["test", "it", "describe", "suite", "bench"]);

/** Tests that are skipped, alone, or announced. */
export function checkTestModifiers(tree: Tree): string[] {
  const problems: string[] = [];
  for (const path of listSources(tree).filter(isTestFile)) {
    visitNodes(parseSource(tree, path), (node) => {
      if (!ts.isPropertyAccessExpression(node) || !modifiers.has(node.name.text)) return;
      const runner = node.expression.getText().split(".")[0] ?? "";
      if (runners.has(runner)) problems.push(`${placeOf(node)} ${node.getText()}`);
    });
  }
  return problems;
}

// The brackets keep this line from finding itself.
const openEnd = /\b(TO[D]O|FIX[M]E|XX[X])\b/;

/** Code that says it is not finished. */
export function checkOpenEnds(tree: Tree): string[] {
  return [...tree]
    .filter(([path]) => /\.(ts|js|sh|json)$|^\.ci\//.test(path) && path !== "package-lock.json")
    .flatMap(([path, text]) =>
      text
        .split("\n")
        .flatMap((line, index) => (openEnd.test(line) ? [`${path}:${index + 1}`] : [])),
    );
}
