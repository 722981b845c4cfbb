/**
 * Strict JSON, with the position of every value.
 *
 * 1. It accepts the same texts as `JSON.parse`, apart from duplicate keys: of two equal keys a
 *    reader sees one and a program the other. No comments, no trailing commas.
 * 2. It never throws for a bad text of any size or depth. The depth is counted before anything
 *    recursive runs.
 */
import { JSON_DEPTH_MAX, type Problem } from "@turnseal/protocol";
import { type Node, type ParseError, parseTree, printParseErrorCode } from "jsonc-parser";
import type { Position } from "./finding.ts";
import { locatePointer, positionAt } from "./locate-pointer.ts";

export type ParsedText =
  | {
      readonly kind: "parsed";
      readonly value: unknown;
      /** The position of what a JSON Pointer names, or of the closest thing around it. */
      readonly locate: (pointer: string) => Position;
    }
  | { readonly kind: "refused"; readonly problem: Problem; readonly position: Position };

/** Reads a JSON text. */
export function parseJsonText(text: string): ParsedText {
  const tooDeepAt = findTooDeep(text);
  if (tooDeepAt !== undefined) {
    const message = `nests deeper than ${JSON_DEPTH_MAX}`;
    return refuse(text, tooDeepAt, message, "flatten the document");
  }
  const errors: ParseError[] = [];
  const root = parseTree(text, errors, { disallowComments: true });
  const [error] = errors;
  if (error !== undefined || root === undefined) return refuseSyntax(text, error);
  const repeated = findRepeatedKey(root);
  if (repeated !== undefined) {
    const message = `the key ${JSON.stringify(repeated.value)} appears twice in the same object`;
    return refuse(text, repeated.offset, message, "remove one of the two");
  }
  return parseValue(text, root);
}

function parseValue(text: string, root: Node): ParsedText {
  try {
    const value: unknown = JSON.parse(text);
    return { kind: "parsed", value, locate: (pointer) => locatePointer(text, root, pointer) };
  } catch {
    return refuse(text, 0, "is not JSON", "write one JSON value and nothing else");
  }
}

// Brackets inside strings do not count; a string that never ends is the parser's to report.
function findTooDeep(text: string): number | undefined {
  let depth = 0;
  let inString = false;
  for (let index = 0; index < text.length; index++) {
    const char = text[index];
    if (inString) {
      if (char === "\\") index++;
      else if (char === '"' || char === "\n") inString = false;
    } else if (char === '"') inString = true;
    else if (char === "[" || char === "{") {
      depth++;
      if (depth > JSON_DEPTH_MAX) return index;
    } else if (char === "]" || char === "}") depth--;
  }
  return undefined;
}

function findRepeatedKey(node: Node): Node | undefined {
  const seen = new Set<unknown>();
  for (const child of node.children ?? []) {
    const [key] = child.type === "property" ? (child.children ?? []) : [];
    if (key !== undefined && seen.has(key.value)) return key;
    if (key !== undefined) seen.add(key.value);
    const inner = findRepeatedKey(child);
    if (inner !== undefined) return inner;
  }
  return undefined;
}

interface SyntaxAdvice {
  readonly message: string;
  readonly mend: string;
}

const syntaxAdvice: ReadonlyMap<string, SyntaxAdvice> = new Map([
  ["InvalidSymbol", { message: "unexpected token", mend: "put it in double quotes" }],
  ["InvalidNumberFormat", { message: "not a JSON number", mend: "write it as 1 or 0.5" }],
  [
    "PropertyNameExpected",
    {
      message: "a key is missing",
      mend: "write a key in double quotes, or remove the comma before it",
    },
  ],
  [
    "ValueExpected",
    { message: "a value is missing", mend: "write a value, or remove the comma before it" },
  ],
  ["ColonExpected", { message: "a colon is missing", mend: "write `:` after the key" }],
  ["CommaExpected", { message: "a comma is missing", mend: "write `,` between two values" }],
  ["CloseBraceExpected", { message: "an object is not closed", mend: "write `}`" }],
  ["CloseBracketExpected", { message: "a list is not closed", mend: "write `]`" }],
  [
    "EndOfFileExpected",
    { message: "there is text after the document", mend: "write one object per file" },
  ],
  [
    "InvalidCommentToken",
    { message: "JSON has no comments", mend: "remove it, or move the remark into `metadata`" },
  ],
  ["UnexpectedEndOfString", { message: "a string is not closed", mend: 'write `"` at its end' }],
  [
    "InvalidCharacter",
    { message: "a control character in a string", mend: "write it as an escape, such as \\n" },
  ],
  ["InvalidUnicode", { message: "not a unicode escape", mend: "write it as \\u0041" }],
  ["InvalidEscapeCharacter", { message: "an unknown escape", mend: "write \\\\ for a backslash" }],
]);

function refuseSyntax(text: string, error: ParseError | undefined): ParsedText {
  if (error === undefined) return refuse(text, 0, "the text is empty", "write one JSON object");
  const advice = syntaxAdvice.get(printParseErrorCode(error.error));
  const { message, mend } = advice ?? { message: "not JSON", mend: "write it as JSON" };
  return refuse(text, error.offset, message, mend);
}

function refuse(text: string, offset: number, message: string, mend: string): ParsedText {
  const problem: Problem = { rule: "json", path: "", message, mend };
  return { kind: "refused", problem, position: positionAt(text, offset) };
}
