/**
 * Renders the value of a request, one line for each field.
 *
 * Every line begins with what is ours: long texts are broken here and indented, so that nothing in
 * a value can look like a line of the card. Texts that are too long are cut in the middle, with
 * their length and digest, and fields that are too many are counted.
 */
import { canonicalize, type JsonValue, sha256Hex } from "@turnseal/protocol";
import { countOf } from "./count-of.ts";
import { type Line, line, measureText, toned } from "./line.ts";
import { revealText, type Sign } from "./reveal-text.ts";
import { wrapText } from "./wrap-text.ts";

/** Fields of a value that are shown. */
export const VALUE_FIELDS_MAX = 40;
/** Characters of a text that are shown: most from its beginning, some from its end. */
export const VALUE_TEXT_MAX = 240;
const TEXT_END = 60;
const NAME_CELLS_MAX = 24;
const TEXT_CELLS = 58;
/** A card has so many cells, and a longer row would be broken a second time. */
const ROW_CELLS = 80;
const DIGEST_SHOWN = 12;

export interface RenderedValue {
  readonly lines: readonly Line[];
  /** Signs in its texts that a reader would not see. */
  readonly signs: readonly Sign[];
}

interface Field {
  readonly name: string;
  readonly text: string;
  readonly signs: readonly Sign[];
}

/** Renders a value below a heading, each line after the same indentation. */
export function renderValue(value: JsonValue, indent: string): RenderedValue {
  const fields: Field[] = [];
  let left = 0;
  for (const field of listFields(value, "")) {
    if (fields.length < VALUE_FIELDS_MAX) fields.push(field);
    else left += 1;
  }
  const widest = fields.reduce((width, { name }) => Math.max(width, measureText(name)), 0);
  const width = Math.min(widest, NAME_CELLS_MAX);
  const lines = fields.flatMap((field) => renderOne(field, { indent, width }));
  if (left > 0) {
    const rest = `and ${countOf(left, "field")} more; all of it ${digestText(canonicalize(value))}`;
    lines.push(line(indent, toned("warning", rest)));
  }
  return { lines, signs: [...new Set(fields.flatMap(({ signs }) => signs))] };
}

function* listFields(value: JsonValue, name: string): Generator<Field> {
  if (typeof value !== "object" || value === null || Object.keys(value).length === 0) {
    yield showField(value, name);
    return;
  }
  if (Array.isArray(value)) {
    for (const [index, item] of value.entries()) yield* listFields(item, `${name}[${index}]`);
    return;
  }
  for (const [key, item] of Object.entries(value)) {
    const { text, signs } = revealKey(key);
    for (const field of listFields(item, name === "" ? text : `${name}.${text}`))
      yield { ...field, signs: [...signs, ...field.signs] };
  }
}

function revealKey(key: string): Pick<Field, "text" | "signs"> {
  return /^[A-Za-z_][A-Za-z0-9_-]{0,63}$/.test(key) ? { text: key, signs: [] } : showText(key);
}

function showField(value: JsonValue, name: string): Field {
  const shown =
    typeof value === "string" ? showText(value) : { text: JSON.stringify(value), signs: [] };
  return { name, ...shown };
}

function showText(text: string): Pick<Field, "text" | "signs"> {
  const characters = [...text];
  if (characters.length <= VALUE_TEXT_MAX) return revealText(text);
  const start = revealText(characters.slice(0, VALUE_TEXT_MAX - TEXT_END).join(""));
  const end = revealText(characters.slice(-TEXT_END).join(""));
  const cut = `… ${characters.length} characters, ${digestText(text)} …`;
  // The omitted part is checked as well.
  return { text: `${start.text} ${cut} ${end.text}`, signs: revealText(text).signs };
}

function digestText(text: string): string {
  return `sha256:${sha256Hex(text.toWellFormed()).slice(0, DIGEST_SHOWN)}`;
}

function renderOne(
  { name, text }: Field,
  { indent, width }: { readonly indent: string; readonly width: number },
): Line[] {
  const isLong = measureText(name) > width;
  const title = isLong ? wrapText(name, NAME_CELLS_MAX + TEXT_CELLS) : [];
  const beside = " ".repeat(width);
  const label = isLong ? beside : name + " ".repeat(width - measureText(name));
  const gap = width === 0 ? "" : "  ";
  const room = ROW_CELLS - indent.length - beside.length - gap.length;
  return [
    ...title.map((part) => line(indent, toned("accent", part))),
    ...wrapText(text, Math.min(TEXT_CELLS, room)).map((part, index) =>
      line(indent, toned("accent", index === 0 ? label : beside), gap, part),
    ),
  ];
}
