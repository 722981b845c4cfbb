/**
 * Wraps comments that are wider than a line may be; the formatter leaves them alone.
 *
 * 1. Only comments that have their lines to themselves change, and of those only the paragraphs
 *    that are too wide.
 * 2. An item of a list keeps its place, with its further lines indented; code blocks and directives
 *    are left alone.
 * 3. Wrapping twice changes nothing.
 */
import ts from "typescript";

export const COLUMNS_MAX = 100;

/** The text of a file with its wide comments wrapped. */
export function wrapComments(text: string): string {
  const source = ts.createSourceFile("file.ts", text, ts.ScriptTarget.Latest, true);
  let wrapped = text;
  for (const { pos, end } of listComments(source).toReversed()) {
    const lineStart = text.lastIndexOf("\n", pos - 1) + 1;
    const indent = text.slice(lineStart, pos);
    if (indent.trim() !== "") continue;
    const comment = text.slice(pos, end);
    wrapped = wrapped.slice(0, pos) + wrapComment(comment, indent) + wrapped.slice(end);
  }
  return wrapped;
}

interface Range {
  readonly pos: number;
  readonly end: number;
}

/** Comments in order; line comments that follow each other are one. */
function listComments(source: ts.SourceFile): Range[] {
  const found = new Map<number, ts.CommentRange>();
  const visit = (node: ts.Node): void => {
    for (const range of ts.getLeadingCommentRanges(source.text, node.getFullStart()) ?? []) {
      found.set(range.pos, range);
    }
    node.getChildren(source).forEach(visit);
  };
  visit(source);
  const merged: { pos: number; end: number; kind: ts.CommentKind }[] = [];
  for (const range of [...found.values()].sort((a, b) => a.pos - b.pos)) {
    const last = merged.at(-1);
    const isLine = range.kind === ts.SyntaxKind.SingleLineCommentTrivia;
    const between = last === undefined ? "" : source.text.slice(last.end, range.pos);
    const isNext = between.trim() === "" && between.split("\n").length === 2;
    if (last !== undefined && isLine && last.kind === range.kind && isNext) last.end = range.end;
    else merged.push({ pos: range.pos, end: range.end, kind: range.kind });
  }
  return merged;
}

function wrapComment(comment: string, indent: string): string {
  const isWide = comment.split("\n").some((line, index) => {
    return line.length + (index === 0 ? indent.length : 0) > COLUMNS_MAX;
  });
  if (!isWide) return comment;
  if (comment.startsWith("//")) {
    const lines = comment.split("\n").map((line) => line.trim().replace(/^\/\/ ?/, ""));
    return joinLines(wrapLines(lines, COLUMNS_MAX - indent.length - 3), "//", indent);
  }
  if (!comment.startsWith("/**")) return comment;
  const lines = comment
    .slice(3, -2)
    .split("\n")
    .map((line) => line.trim().replace(/^\* ?/, ""));
  while (lines[0] === "") lines.shift();
  while (lines.at(-1) === "") lines.pop();
  const body = joinLines(wrapLines(lines, COLUMNS_MAX - indent.length - 3), " *", indent);
  return `/**\n${indent}${body}\n${indent} */`;
}

function joinLines(lines: readonly string[], mark: string, indent: string): string {
  return lines.map((line) => (line === "" ? mark : `${mark} ${line}`)).join(`\n${indent}`);
}

const itemStart = /^(\d+\. |- )/;
const directive = /^(@|biome-|#|\|)/;

interface Paragraph {
  readonly lines: string[];
  /** Code and directives: what they say depends on where their lines end. */
  readonly isVerbatim: boolean;
}

/** Refills the paragraphs that hold a wide line. */
function wrapLines(lines: readonly string[], width: number): string[] {
  let isCode = false;
  const paragraphs: Paragraph[] = [];
  for (const line of lines) {
    const isFence = line.startsWith("```");
    const isVerbatim = isCode || isFence || directive.test(line);
    if (isFence) isCode = !isCode;
    const last = paragraphs.at(-1);
    const isOpen = last !== undefined && !last.isVerbatim && last.lines[0] !== "";
    const isContinued = isOpen && !isVerbatim && line !== "" && !itemStart.test(line);
    if (isContinued) last.lines.push(line);
    else paragraphs.push({ lines: [line], isVerbatim });
  }
  return paragraphs.flatMap((paragraph) => wrapParagraph(paragraph, width));
}

function wrapParagraph({ lines, isVerbatim }: Paragraph, width: number): readonly string[] {
  if (isVerbatim || lines.every((line) => line.length <= width)) return lines;
  const hanging = " ".repeat(itemStart.exec(lines[0] ?? "")?.[0].length ?? 0);
  const wrapped: string[] = [];
  let current = "";
  for (const word of lines.flatMap((line) => line.trim().split(/ +/))) {
    const longer = current === "" ? word : `${current} ${word}`;
    if (current === "" || longer.length <= width) {
      current = longer;
      continue;
    }
    wrapped.push(current);
    current = hanging + word;
  }
  return [...wrapped, current];
}
