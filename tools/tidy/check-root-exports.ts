/**
 * A name that the root of the protocol exports is a promise to its users: each is used outside of
 * the package, in code, in a test, in an example or in a document.
 */
import ts from "typescript";
import { parseSource } from "./parse-source.ts";
import type { Tree } from "./tree.ts";

const folder = "packages/protocol/";
const specifier = "@turnseal/protocol";

/** The names that the root exports and nobody outside imports. */
export function checkRootExports(tree: Tree): string[] {
  const used = new Set<string>();
  for (const path of tree.keys()) {
    if (path.startsWith(folder)) continue;
    for (const source of listPrograms(tree, path))
      for (const name of listNames(source, specifier)) used.add(name);
  }
  const root = `${folder}src/index.ts`;
  return listNames(parseSource(tree, root))
    .filter((name) => !used.has(name))
    .map((name) => `${root} exports ${name}, which nothing outside of the package imports`);
}

/** A program, or the programs in a document. */
function listPrograms(tree: Tree, path: string): ts.SourceFile[] {
  if (/\.(ts|tsx|mts|js|mjs)$/.test(path)) return [parseSource(tree, path)];
  if (!path.endsWith(".md")) return [];
  const fences = (tree.get(path) ?? "").matchAll(/^```ts\b[^\n]*\n(.*?)^```/gms);
  return Array.from(fences, ([, text = ""]) =>
    ts.createSourceFile(path, text, ts.ScriptTarget.Latest, true),
  );
}

/** The names that a file imports or exports from somewhere, each as it is called there. */
function listNames(source: ts.SourceFile, from?: string): string[] {
  return source.statements.flatMap((statement) => {
    if (!ts.isImportDeclaration(statement) && !ts.isExportDeclaration(statement)) return [];
    const { moduleSpecifier } = statement;
    const isMeant =
      moduleSpecifier !== undefined &&
      ts.isStringLiteral(moduleSpecifier) &&
      (from === undefined || moduleSpecifier.text === from);
    const names = ts.isImportDeclaration(statement)
      ? statement.importClause?.namedBindings
      : statement.exportClause;
    if (!isMeant || names === undefined) return [];
    if (!ts.isNamedImports(names) && !ts.isNamedExports(names)) return [];
    return names.elements.map(({ propertyName, name }) => (propertyName ?? name).text);
  });
}
