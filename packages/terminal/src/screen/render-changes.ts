import type { ChangedLine, LoopChange } from "@turnseal/views";
import { type Line, line, toned } from "./line.ts";
import { DETAIL_INDENT } from "./render-field.ts";

/** Lines of one field that are shown. */
const CHANGED_LINES_MAX = 12;
/** Characters of a line that are shown. */
const CHANGED_LENGTH_MAX = 400;

/** Renders what has changed in a loop: each field, and below it the lines that went and came. */
export function renderChanges(changes: readonly LoopChange[]): Line[] {
  return changes.flatMap(({ path, lines }) => [
    line(DETAIL_INDENT, toned("faint", path)),
    ...renderChangedLines(lines),
  ]);
}

export function renderChangedLines(lines: readonly ChangedLine[]): Line[] {
  const more = lines.length - CHANGED_LINES_MAX;
  return [
    ...lines
      .slice(0, CHANGED_LINES_MAX)
      .map(({ mark, text }) =>
        line(DETAIL_INDENT, toned(mark === "-" ? "bad" : "good", `${mark} ${cutText(text)}`)),
      ),
    ...(more > 0 ? [line(DETAIL_INDENT, toned("faint", `and ${more} more lines`))] : []),
  ];
}

function cutText(text: string): string {
  return text.length <= CHANGED_LENGTH_MAX ? text : `${text.slice(0, CHANGED_LENGTH_MAX)}…`;
}
