/**
 * The closed sets of the project, read from the syntax of the sources. So the same rules hold for a
 * code, a rule, an event type or a maximum that is added later, without a change here.
 */
import ts from "typescript";
import { parseSource, visitNodes } from "./parse-source.ts";
import { isTestFile, listSources, type Tree } from "./tree.ts";

export interface Vocabulary {
  /** Of call errors, of thrown errors and of bugs. */
  readonly errorCodes: readonly string[];
  readonly problemRules: readonly string[];
  /**
   * The native event types that the code uses beside their list, and all types of the LSEM trace.
   */
  readonly eventTypes: readonly string[];
  /** Exported constants `X_MAX` and `X_DEFAULT`. */
  readonly limits: readonly string[];
}

export function listVocabulary(tree: Tree): Vocabulary {
  const sources = listSources(tree)
    .filter((path) => /^(packages|apps)\//.test(path) && !isTestFile(path))
    .map((path) => parseSource(tree, path));
  const lists = sources.flatMap(listConstants);
  const membersOf = (ending: string) =>
    lists.filter(({ name }) => name.endsWith(ending)).flatMap(({ members }) => members);
  return {
    errorCodes: unique([...membersOf("_CODES"), ...sources.flatMap(listTypedCodes)]),
    problemRules: unique(membersOf("_RULES")),
    eventTypes: unique([
      ...membersOf("TRACE_EVENT_TYPES"),
      ...listUsedTypes(
        sources,
        lists.find(({ name }) => name === "LOG_EVENT_TYPES")?.members ?? [],
      ),
    ]),
    limits: unique(lists.map(({ name }) => name).filter((name) => /_(MAX|DEFAULT)$/.test(name))),
  };
}

interface Constant {
  readonly name: string;
  /** The strings of the list that is its value. */
  readonly members: readonly string[];
}

function listConstants(source: ts.SourceFile): Constant[] {
  return source.statements
    .filter(ts.isVariableStatement)
    .filter(({ modifiers }) => modifiers?.some(({ kind }) => kind === ts.SyntaxKind.ExportKeyword))
    .flatMap(({ declarationList }) => [...declarationList.declarations])
    .map(({ name, initializer }) => ({ name: name.getText(), members: listStrings(initializer) }));
}

/** Codes that stand in types: `type XErrorCode = "A" | "B"` and `extends LoopError<"C">`. */
function listTypedCodes(source: ts.SourceFile): string[] {
  const codes: string[] = [];
  visitNodes(source, (node) => {
    const isCodeUnion = ts.isTypeAliasDeclaration(node) && node.name.text.endsWith("ErrorCode");
    const isErrorClass =
      ts.isExpressionWithTypeArguments(node) && node.expression.getText() === "LoopError";
    if (isCodeUnion) codes.push(...listStrings(node.type));
    else if (isErrorClass) codes.push(...listStrings(node));
  });
  return codes.filter((code) => /^[A-Z][A-Z0-9_]+$/.test(code));
}

function listUsedTypes(sources: readonly ts.SourceFile[], types: readonly string[]): string[] {
  const used = new Set(
    sources.filter(({ fileName }) => !fileName.endsWith("/event-types.ts")).flatMap(listStrings),
  );
  return types.filter((type) => used.has(type));
}

function listStrings(node: ts.Node | undefined): string[] {
  if (node === undefined) return [];
  if (ts.isStringLiteralLike(node)) return [node.text];
  const strings: string[] = [];
  visitNodes(node, (inner) => {
    if (ts.isStringLiteralLike(inner)) strings.push(inner.text);
  });
  return strings;
}

function unique(values: readonly string[]): string[] {
  return [...new Set(values)].sort();
}
