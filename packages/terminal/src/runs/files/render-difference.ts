/** Renders the difference between two states of a file, for a person who is about to approve. */
import { diffLines, MERGE_LENGTH_MAX, splitLines } from "@turnseal/protocol/artifact";
import { countOf } from "../../screen/count-of.ts";
import { type Line, line, type Tone, toned } from "../../screen/line.ts";
import { revealText } from "../../screen/reveal-text.ts";

export interface Difference {
  readonly lines: readonly Line[];
  /** True if something is counted and not shown. */
  readonly isCut: boolean;
}

type Bytes = Uint8Array | undefined;

/** At most so many removed (−) or new (+) lines; the number of further ones is shown. */
export function renderDifference(before: Bytes, now: Bytes, linesMax: number): Difference {
  if (before !== undefined && now !== undefined && Buffer.compare(before, now) === 0)
    return { lines: [], isCut: false };
  const [old, fresh] = [readLines(before), readLines(now)];
  if (old === undefined || fresh === undefined)
    return note(`is no text that can be shown: ${sizeOf(before)} → ${sizeOf(now)}`, false);
  const changes = diffLines(old, fresh);
  const all =
    changes === undefined
      ? [...old.map((text) => renderText("−", text)), ...fresh.map((text) => renderText("+", text))]
      : changes.flatMap(({ at, removed, to, added }) => [
          ...old.slice(at, at + removed).map((text) => renderText("−", text)),
          ...fresh.slice(to, to + added).map((text) => renderText("+", text)),
        ]);
  const rest = all.length - linesMax;
  if (rest <= 0) return { lines: all, isCut: false };
  const words = linesMax === 0 ? countOf(rest, "line") : `${countOf(rest, "line")} more`;
  return { lines: [...all.slice(0, linesMax), ...note(words, true).lines], isCut: true };
}

function note(words: string, isCut: boolean): Difference {
  return { lines: [line("      ", toned("faint", words))], isCut };
}

const TONES: Readonly<Record<"−" | "+", Tone>> = { "−": "bad", "+": "good" };

/** Invisible characters in a line, such as a mark at the start of a file, are shown as escapes. */
export function renderText(sign: "−" | "+", text: string): Line {
  const plain = text.replace(/\n$/, "");
  const { text: quoted, signs } = revealText(plain);
  const end = text.endsWith("\n") ? "" : "  (without a line end)";
  const seen = signs.length === 0 ? plain : quoted;
  return line("      ", toned(TONES[sign], `${sign} ${seen}`), toned("faint", end));
}

/** The lines of a text; none where there is no file, undefined if it is no text. */
function readLines(bytes: Bytes): readonly string[] | undefined {
  if (bytes === undefined) return [];
  if (bytes.length > MERGE_LENGTH_MAX) return undefined;
  try {
    // A mark at the start counts: without it the file is another.
    const text = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true }).decode(bytes);
    return text.includes("\0") ? undefined : splitLines(text);
  } catch {
    return undefined;
  }
}

function sizeOf(bytes: Bytes): string {
  return bytes === undefined ? "nothing" : countOf(bytes.length, "byte");
}
