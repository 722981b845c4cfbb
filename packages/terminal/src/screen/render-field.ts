import { type Line, line, toned } from "./line.ts";

const FIELD_WIDTH = 10;
/** Where the value of a detail stands. */
export const DETAIL_INDENT = " ".repeat(FIELD_WIDTH + 2);

/** Renders a name with its value, or nothing where there is none. */
export function renderField(name: string, value: string | undefined): Line[] {
  // A name that fills its column still has a blank behind it.
  const padded = name.length < FIELD_WIDTH ? name.padEnd(FIELD_WIDTH) : `${name} `;
  return value === undefined ? [] : [line(toned("faint", padded), value)];
}

/** The same below a heading. */
export function renderDetail(name: string, value: string | undefined): Line[] {
  return renderField(name, value).map(({ spans }) => ({ spans: [{ text: "  " }, ...spans] }));
}
