/** The arguments of an edit as a diff: the file, the lines that go, and the lines that come. */
import { isPlainObject, type JsonValue } from "@turnseal/protocol";
import { countOf } from "../screen/count-of.ts";
import { type Line, line, type Tone, toned } from "../screen/line.ts";
import { revealText, type Sign } from "../screen/reveal-text.ts";
import { wrapText } from "../screen/wrap-text.ts";
import { renderLabelled, renderSigns } from "./render-labelled.ts";

/** The tool whose arguments these are. */
export const EDIT_TOOL = "fs.edit";
/** Lines of a diff that are shown. */
export const DIFF_LINES_MAX = 40;

const INDENT = " ".repeat(12);
const LINE_CELLS = 64;

interface Edit {
  readonly from: string;
  readonly to: string;
}

interface DiffLine {
  readonly mark: " " | "-" | "+";
  readonly text: string;
}

/** Undefined for arguments of another form, which are shown as they are. */
export function renderEdits(request: JsonValue): Line[] | undefined {
  if (!isPlainObject(request)) return undefined;
  const { edits, ...rest } = request as Readonly<Record<string, JsonValue>>;
  if (!Array.isArray(edits) || edits.length === 0 || !edits.every(isEdit)) return undefined;
  const all = edits.flatMap((edit, index) => [
    ...(index === 0 ? [] : [undefined]),
    ...compareLines(edit),
  ]);
  const shown = all.slice(0, DIFF_LINES_MAX);
  const left = all.length - shown.length;
  const signs = new Set<Sign>();
  for (const each of all) for (const sign of revealText(each?.text ?? "").signs) signs.add(sign);
  return [
    ...renderLabelled("arguments", rest),
    ...shown.flatMap((each) => (each === undefined ? [line(`${INDENT}…`)] : renderLine(each))),
    ...(left > 0 ? [line(INDENT, toned("warning", `and ${countOf(left, "more line")}`))] : []),
    ...renderSigns([...signs]),
  ];
}

function isEdit(edit: JsonValue): edit is JsonValue & Edit {
  if (!isPlainObject(edit) || Object.keys(edit).length !== 2) return false;
  return typeof edit["from"] === "string" && typeof edit["to"] === "string";
}

/** The lines that both have at their beginning and end stay; the others go or come. */
function compareLines({ from, to }: Edit): DiffLine[] {
  const [before, after] = [from.split("\n"), to.split("\n")];
  const most = Math.min(before.length, after.length);
  let head = 0;
  while (head < most && before[head] === after[head]) head++;
  let tail = 0;
  while (tail < most - head && before.at(-1 - tail) === after.at(-1 - tail)) tail++;
  const mark = (lines: readonly string[], sign: DiffLine["mark"]) =>
    lines.map((text) => ({ mark: sign, text }));
  return [
    ...mark(before.slice(0, head), " "),
    ...mark(before.slice(head, before.length - tail), "-"),
    ...mark(after.slice(head, after.length - tail), "+"),
    ...mark(before.slice(before.length - tail), " "),
  ];
}

const tones: Readonly<Record<DiffLine["mark"], Tone>> = { " ": "faint", "-": "bad", "+": "good" };

/** Each row begins with our own indentation and mark, so that no text passes for a line of ours. */
function renderLine({ mark, text }: DiffLine): Line[] {
  const quoted = revealText(text).text;
  return wrapText(quoted, LINE_CELLS).map((part) =>
    line(INDENT, toned(tones[mark], `${mark} ${part}`)),
  );
}
