import type { JsonValue } from "@turnseal/protocol";
import { type Line, line, toned } from "../screen/line.ts";
import { renderValue } from "../screen/render-value.ts";
import type { Sign } from "../screen/reveal-text.ts";

const INDENT = " ".repeat(12);

/** Renders what others wrote, with a warning where it could be read as something else. */
export function renderLabelled(label: string, value: JsonValue): Line[] {
  const { lines, signs } = renderValue(value, INDENT);
  const [first, ...rest] = lines;
  if (first === undefined) return [];
  const [, ...spans] = first.spans;
  return [
    { spans: [{ text: "  " }, toned("faint", label.padEnd(10)), ...spans] },
    ...rest,
    ...renderSigns(signs),
  ];
}

const warnings: Readonly<Record<Sign, string>> = {
  control: "control characters",
  direction: "marks that reverse the reading direction",
  invisible: "invisible characters",
  mark: "combining marks",
  "look-alike": "look-alike characters",
};

/** Warns of signs that a reader would not see. */
export function renderSigns(signs: readonly Sign[]): Line[] {
  if (signs.length === 0) return [];
  const named = signs.map((sign) => warnings[sign]).join(", ");
  return [
    line(
      "  ",
      toned("faint", "beware".padEnd(10)),
      toned("bad", `contains ${named}: shown as \\u…`),
    ),
  ];
}
