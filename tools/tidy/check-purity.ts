/**
 * The trusted base and the host never read clock, randomness, environment, network or disk by
 * themselves.
 *
 * The check is by name, so a local that is called like one of these is refused too.
 */
import ts from "typescript";
import { parseSource, placeOf, visitNodes } from "./parse-source.ts";
import { isTestFile, listSources, type Tree } from "./tree.ts";

const pureFolders = ["folds", "host", "kernel", "protocol", "views"].map(
  (name) => `packages/${name}/src/`,
);

const impureGlobals = new Set([
  ...["process", "globalThis", "window", "self", "global", "navigator", "require"],
  ...["setTimeout", "setInterval", "setImmediate", "performance", "Temporal"],
  ...["fetch", "WebSocket", "XMLHttpRequest", "EventSource", "console", "crypto"],
]);
const impureMembers = new Set(["Date.now", "Math.random", "AbortSignal.timeout"]);

// Code asks for platform features by name, so that the package stays free of imports: native
// SHA-256 where it exists, and WebCrypto, with which a browser verifies too.
const exceptions: Readonly<Record<string, readonly string[]>> = {
  "packages/protocol/src/verify/verify-signature.ts": ["globalThis"],
  "packages/protocol/src/sha256.ts": ["globalThis"],
};

/** Uses of the outside world where only ports may reach it. */
export function checkPurity(tree: Tree): string[] {
  const problems: string[] = [];
  for (const path of listSources(tree)) {
    if (isTestFile(path) || !pureFolders.some((folder) => path.startsWith(folder))) continue;
    visitNodes(parseSource(tree, path), (node) => {
      const use = impureUse(node);
      if (use === undefined || exceptions[path]?.includes(use)) return;
      problems.push(`${placeOf(node)} uses ${use}`);
    });
  }
  return problems;
}

function impureUse(node: ts.Node): string | undefined {
  if (ts.isPropertyAccessExpression(node)) {
    const text = `${node.expression.getText()}.${node.name.text}`;
    return impureMembers.has(text) ? text : undefined;
  }
  const isConstruction = ts.isNewExpression(node) || ts.isCallExpression(node);
  if (isConstruction && node.expression.getText() === "Date") {
    // Only a construction from a given time is pure; a plain call ignores its arguments and reads
    // the clock.
    const isGiven = ts.isNewExpression(node) && (node.arguments?.length ?? 0) > 0;
    return isGiven ? undefined : "Date()";
  }
  if (ts.isIdentifier(node) && impureGlobals.has(node.text) && !isMemberName(node)) {
    return node.text;
  }
  return undefined;
}

/** True for the `process` of `value.process`, `{ process: 1 }` or `interface X { process: 1 }`. */
function isMemberName(node: ts.Identifier): boolean {
  const { parent } = node;
  if (ts.isPropertyAccessExpression(parent)) return parent.name === node;
  const isNamedMember =
    ts.isPropertyAssignment(parent) ||
    ts.isPropertySignature(parent) ||
    ts.isPropertyDeclaration(parent) ||
    ts.isMethodSignature(parent) ||
    ts.isMethodDeclaration(parent);
  return isNamedMember && parent.name === node;
}
