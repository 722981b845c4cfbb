import ts from "typescript";
import type { Tree } from "./tree.ts";

const parsed = new WeakMap<Tree, Map<string, ts.SourceFile>>();

/** The syntax tree of a file, parsed once for each tree of files. */
export function parseSource(tree: Tree, path: string): ts.SourceFile {
  const known = parsed.get(tree) ?? new Map<string, ts.SourceFile>();
  parsed.set(tree, known);
  const earlier = known.get(path);
  if (earlier !== undefined) return earlier;
  const source = ts.createSourceFile(path, tree.get(path) ?? "", ts.ScriptTarget.Latest, true);
  known.set(path, source);
  return source;
}

/** Visits every node below `root`, outermost first. */
export function visitNodes(root: ts.Node, visit: (node: ts.Node) => void): void {
  ts.forEachChild(root, (node) => {
    visit(node);
    visitNodes(node, visit);
  });
}

/** Where a node stands, as `path:line`. */
export function placeOf(node: ts.Node): string {
  const source = node.getSourceFile();
  const { line } = source.getLineAndCharacterOfPosition(node.getStart(source));
  return `${source.fileName}:${line + 1}`;
}

/** What a file imports or re-exports, values and types, also by `import()`. */
export function listImports(source: ts.SourceFile): string[] {
  const specifiers: string[] = [];
  const take = (node: ts.Node | undefined): void => {
    if (node !== undefined && ts.isStringLiteralLike(node)) specifiers.push(node.text);
  };
  visitNodes(source, (node) => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node)) take(node.moduleSpecifier);
    else if (ts.isImportTypeNode(node) && ts.isLiteralTypeNode(node.argument)) {
      take(node.argument.literal);
    } else if (ts.isCallExpression(node) && node.expression.kind === ts.SyntaxKind.ImportKeyword) {
      take(node.arguments[0]);
    }
  });
  return specifiers;
}
