/** Breaks a line between words where it is longer than a terminal is wide. */
import { type Line, line, measureText } from "./line.ts";

/** A card is read at this width: most terminals have it, and few have less. */
export const CARD_COLUMNS = 80;

/** The lines that it takes; what follows the first is indented. */
export function fitLine(given: Line, columns: number, indent: string): Line[] {
  const last = given.spans.at(-1);
  const before = given.spans.slice(0, -1);
  const taken = before.reduce((sum, { text }) => sum + measureText(text), 0);
  if (last === undefined || taken + measureText(last.text) <= columns) return [given];
  const rows = breakText(last.text, columns - taken, columns - measureText(indent));
  const tone = last.tone === undefined ? {} : { tone: last.tone };
  return rows.map((text, index) =>
    index === 0 ? { spans: [...before, { text, ...tone }] } : line(indent, { text, ...tone }),
  );
}

function breakText(text: string, first: number, other: number): string[] {
  const rows: string[] = [];
  let row = "";
  for (const word of text.split(" ")) {
    const longer = row === "" ? word : `${row} ${word}`;
    if (row !== "" && measureText(longer) > (rows.length === 0 ? first : other)) {
      rows.push(row);
      row = word;
    } else row = longer;
  }
  return [...rows, row];
}
