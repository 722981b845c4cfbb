/**
 * Names: files in kebab-case, and no word that says nothing.
 *
 * A single letter is a name only inside an arrow function of at most two lines, as a type
 * parameter, or as the two sides of a comparison, `(a, b)`.
 */
import ts from "typescript";
import { parseSource, placeOf, visitNodes } from "./parse-source.ts";
import { listSources, type Tree } from "./tree.ts";

const bannedFileWords = new Set([
  ...["utils", "util", "helpers", "helper", "common", "misc", "manager", "base", "impl", "types"],
  ...["shared", "core"],
]);
const kebabName = /^\.?[a-z0-9]+(-[a-z0-9]+)*(\.[a-z0-9]+(-[a-z0-9]+)*)*$/;
const documentName = /^[A-Z]+(_[A-Z]+)*(\.md)?$/;
// Recorded answers of providers and other files that only tests read.
const fixturesName = /^__fixtures__$/;
// The modules of Python are named as Python can import them.
const pythonName = /^[a-z0-9]+(_[a-z0-9]+)*\.py$/;
// What builds images looks for this name.
const builderName = /^Dockerfile$/;
const names = [kebabName, documentName, fixturesName, pythonName, builderName];
const bannedType = /^(I[A-Z][a-z]|Abstract|Base)|(Impl|Abstract|Base|Manager|Service|Handler)$/;
const bannedVerb = /^(process|handle|do|manage)([A-Z]|$)/;

// The letters of FIPS 180-4: a reader compares this file with the standard.
const lettersAllowedIn = new Set(["packages/protocol/src/sha256.ts"]);

/** The files and folders whose names break the rules. */
export function checkFileNames(tree: Tree): string[] {
  const problems = new Set<string>();
  for (const path of tree.keys()) {
    const segments = path.split("/");
    for (const [index, segment] of segments.entries()) {
      const place = segments.slice(0, index + 1).join("/");
      const isKebab = names.some((name) => name.test(segment));
      if (!isKebab) problems.add(`${place} is not kebab-case`);
      const word = segment.replace(/\..*$/, "");
      if (bannedFileWords.has(word)) problems.add(`${place} is a name that says nothing`);
    }
  }
  return [...problems];
}

/** The declarations whose names break the rules. */
export function checkIdentifiers(tree: Tree): string[] {
  const problems: string[] = [];
  for (const path of listSources(tree)) {
    visitNodes(parseSource(tree, path), (node) => {
      const name = declaredName(node);
      const reason = name === undefined ? undefined : checkName(node, name.text, path);
      if (reason !== undefined) problems.push(`${placeOf(node)} ${name?.text}: ${reason}`);
    });
  }
  return problems;
}

function checkName(node: ts.Node, name: string, path: string): string | undefined {
  if (isTypeDeclaration(node)) {
    return bannedType.test(name) ? "a type is a plain noun" : undefined;
  }
  if (isFunctionLike(node) && bannedVerb.test(name)) return "a verb that says nothing";
  const isLetter = /^[A-Za-z]$/.test(name);
  if (isLetter && !lettersAllowedIn.has(path) && !isInShortArrow(node) && !isSide(node))
    return "one letter";
  return undefined;
}

function declaredName(node: ts.Node): ts.Identifier | undefined {
  const isDeclaration =
    isTypeDeclaration(node) ||
    ts.isFunctionDeclaration(node) ||
    ts.isVariableDeclaration(node) ||
    ts.isParameter(node) ||
    ts.isBindingElement(node) ||
    ts.isMethodDeclaration(node);
  if (!isDeclaration || node.name === undefined) return undefined;
  return ts.isIdentifier(node.name) ? node.name : undefined;
}

function isTypeDeclaration(
  node: ts.Node,
): node is ts.ClassDeclaration | ts.InterfaceDeclaration | ts.TypeAliasDeclaration {
  return (
    ts.isClassDeclaration(node) ||
    ts.isInterfaceDeclaration(node) ||
    ts.isTypeAliasDeclaration(node)
  );
}

function isFunctionLike(node: ts.Node): boolean {
  if (ts.isFunctionDeclaration(node) || ts.isMethodDeclaration(node)) return true;
  const value = ts.isVariableDeclaration(node) ? node.initializer : undefined;
  return value !== undefined && (ts.isArrowFunction(value) || ts.isFunctionExpression(value));
}

function isInShortArrow(node: ts.Node): boolean {
  const arrow = ts.findAncestor(node, ts.isArrowFunction);
  if (arrow === undefined) return false;
  const source = arrow.getSourceFile();
  const lineAt = (position: number) => source.getLineAndCharacterOfPosition(position).line;
  return lineAt(arrow.getEnd()) - lineAt(arrow.getStart(source)) < 2;
}

function isSide(node: ts.Node): boolean {
  if (!ts.isParameter(node)) return false;
  return node.parent.parameters.map(({ name }) => name.getText()).join() === "a,b";
}
