import ts from "typescript";
import { COLUMNS_MAX } from "../comments/wrap-comments.ts";
import type { SizeRule } from "./check-sizes.ts";
import { parseSource, visitNodes } from "./parse-source.ts";
import { isTestFile, listSources, type Tree } from "./tree.ts";

/** What is measured, with its limits. */
export const SIZE_RULES = {
  sourceLines: { what: "lines", warned: 300, refused: 500 },
  testLines: { what: "lines", warned: 800, refused: 800 },
  functionLines: { what: "lines", warned: 70, refused: 100 },
  longLines: { what: "lines over 100 columns", warned: 0, refused: 0 },
} as const satisfies Record<string, SizeRule>;
export type SizeName = keyof typeof SIZE_RULES;

/** The sizes of every file and function. */
export function measureSizes(tree: Tree): Record<SizeName, Map<string, number>> {
  const sizes = {
    sourceLines: new Map<string, number>(),
    testLines: new Map<string, number>(),
    functionLines: new Map<string, number>(),
    longLines: new Map<string, number>(),
  };
  for (const path of listSources(tree)) {
    const lines = (tree.get(path) ?? "").replace(/\n$/, "").split("\n");
    (isTestFile(path) ? sizes.testLines : sizes.sourceLines).set(path, lines.length);
    sizes.longLines.set(path, lines.filter(isLong).length);
    for (const [name, length] of measureFunctions(parseSource(tree, path))) {
      sizes.functionLines.set(`${path}#${name}`, length);
    }
  }
  return sizes;
}

// A string that stands alone is not broken: cut in two it could not be searched for.
const loneString = /^\s*(\w+: )?(["'`]).*\2[,;]?$/;

function isLong(line: string): boolean {
  return [...line].length > COLUMNS_MAX && !loneString.test(line);
}

/**
 * Functions with the lines from their first word to their closing brace; of one name the longest
 * counts.
 */
function measureFunctions(source: ts.SourceFile): Map<string, number> {
  const lengths = new Map<string, number>();
  visitNodes(source, (node) => {
    if (!ts.isFunctionLike(node) || !("body" in node) || node.body === undefined) return;
    if (isGroup(node)) return;
    const lineAt = (position: number) => source.getLineAndCharacterOfPosition(position).line;
    const length = lineAt(node.getEnd()) - lineAt(node.getStart(source)) + 1;
    const name = functionName(node);
    lengths.set(name, Math.max(length, lengths.get(name) ?? 0));
  });
  return lengths;
}

/**
 * True for the function of a `describe`: a list of tests, not a thing to be followed from top to
 * end.
 */
function isGroup(node: ts.SignatureDeclaration): boolean {
  return ts.isCallExpression(node.parent) && /^describe\b/.test(node.parent.expression.getText());
}

function functionName(node: ts.SignatureDeclaration): string {
  const named = node.name ?? (ts.isVariableDeclaration(node.parent) ? node.parent.name : undefined);
  if (named !== undefined) return named.getText();
  // A callback is named after its caller, such as `test`.
  return ts.isCallExpression(node.parent) ? `${node.parent.expression.getText()}()` : "anonymous";
}
