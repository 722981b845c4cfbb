/**
 * Breaks a line where it is longer than a terminal is wide: between words, and below where its text
 * begins. A terminal would break it anywhere, and begin the next row at its edge, where foreign
 * words could pass for ours.
 */
import { type Line, measureText, type Span } from "./line.ts";
import { sanitizeText } from "./sanitize-text.ts";

/** A text that begins further to the right than this has no column of its own. */
const COLUMN_MAX = 14;

/** The rows that it takes; each but the first begins with blanks. */
export function foldLine(given: Line, columns: number): Line[] {
  const spans = given.spans.map((span) => ({ ...span, text: sanitizeText(span.text) }));
  if (measureSpans(spans) <= columns) return [given];
  const indent = findIndent(spans, columns);
  const rows: Span[][] = [[]];
  let used = 0;
  const begin = (): void => {
    rows.push(indent === 0 ? [] : [{ text: " ".repeat(indent) }]);
    used = indent;
  };
  for (const { text, ...tone } of spans) {
    for (let rest = text; rest !== ""; ) {
      const part = cutBetweenWords(rest, columns - used);
      if (part === "" && used > indent) {
        begin();
        rest = rest.replace(/^ /, "");
        continue;
      }
      const taken = part === "" ? cutCells(rest, Math.max(columns - used, 1)) : part;
      rows.at(-1)?.push({ ...tone, text: taken });
      used += measureText(taken);
      rest = rest.slice(taken.length);
      if (rest !== "") begin();
      if (part !== "") rest = rest.replace(/^ /, "");
    }
  }
  return rows.map((row) => ({ spans: row }));
}

/**
 * Where the text begins: behind a label, or two cells right of where the line does. A digest that
 * is only broken for its label stands below it, whole.
 */
function findIndent(spans: readonly Span[], columns: number): number {
  const text = spans.map((span) => span.text).join("");
  const least = text.length - text.trimStart().length + 2;
  const before = measureSpans(spans.slice(0, -1));
  const longest = Math.max(...text.split(" ").map(measureText));
  const isBroken = longest > columns - before && longest <= columns - least;
  const indent = before > 0 && before <= COLUMN_MAX && !isBroken ? before : least;
  return Math.min(indent, Math.max(columns - 2, 0));
}

/** As many whole words as there is room for; nothing where the first is longer. */
function cutBetweenWords(text: string, room: number): string {
  if (measureText(text) <= room) return text;
  const fitting = cutCells(text, room);
  if (text[fitting.length] === " ") return fitting;
  const end = fitting.lastIndexOf(" ");
  return fitting.slice(0, Math.max(end, 0)).trimEnd() === "" ? "" : fitting.slice(0, end);
}

function cutCells(text: string, room: number): string {
  let cut = "";
  let left = room;
  for (const character of text) {
    left -= measureText(character);
    if (left < 0 && cut !== "") break;
    cut += character;
  }
  return cut;
}

function measureSpans(spans: readonly Span[]): number {
  return spans.reduce((sum, { text }) => sum + measureText(text), 0);
}
