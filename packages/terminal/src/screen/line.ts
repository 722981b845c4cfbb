/**
 * Lines of output, as data: texts with their tones. Only `formatLine` makes text of them, so
 * foreign text cannot pass unsanitised and colour codes cannot reach a pipe.
 */
import { styleText } from "node:util";
import { sanitizeText } from "./sanitize-text.ts";

/** A piece of text with one meaning. */
export interface Span {
  readonly text: string;
  readonly tone?: Tone;
}

export interface Line {
  readonly spans: readonly Span[];
  /** A span at the right edge, if there is one. */
  readonly end?: Span;
}

export type Tone = keyof typeof styles;

const styles = {
  strong: ["bold"],
  faint: ["dim"],
  good: ["green"],
  bad: ["red", "bold"],
  warning: ["yellow"],
  accent: ["cyan"],
} as const;

export interface LineFormat {
  readonly isColoured: boolean;
  /** Cuts the line and aligns its end here; without it the line is as long as it is. */
  readonly columns?: number;
}

/** The gap between a line and its end. */
const GAP = "  ";

/** Makes a line from texts and spans. */
export function line(...parts: readonly (string | Span)[]): Line {
  return { spans: parts.map((part) => (typeof part === "string" ? { text: part } : part)) };
}

/** A span with a meaning. */
export function toned(tone: Tone, text: string): Span {
  return { text, tone };
}

/** Renders what to try next. */
export function renderNext(next: string): Line {
  return line("  ", toned("faint", "next: "), next);
}

/** Renders what a reader might not expect. */
export function renderNote(note: string): Line {
  return line(toned("warning", "note: "), note);
}

/** Renders a line as text, without a line break. */
export function formatLine({ spans, end }: Line, format: LineFormat): string {
  const ending = end === undefined ? [] : [{ ...end, text: sanitizeText(end.text) }];
  const endWidth = ending.reduce((sum, { text }) => sum + GAP.length + measureText(text), 0);
  const room = format.columns === undefined ? Number.POSITIVE_INFINITY : format.columns - endWidth;
  const shown = cutSpans(spans, room);
  const width = shown.reduce((sum, { text }) => sum + measureText(text), 0);
  const padding = Number.isFinite(room) ? " ".repeat(Math.max(room - width, 0)) : "";
  const gap = end === undefined ? "" : padding + GAP;
  return [...shown, { text: gap }, ...ending].map((span) => paintSpan(span, format)).join("");
}

/** The line, at most as many cells long. */
export function cutLine({ spans }: Line, columns: number): Line {
  return { spans: cutSpans(spans, columns) };
}

function cutSpans(spans: readonly Span[], room: number): Span[] {
  const shown: Span[] = [];
  let left = Math.max(room, 0);
  for (const span of spans) {
    const text = sanitizeText(span.text);
    const width = measureText(text);
    if (width > left) {
      shown.push({ ...span, text: cutText(text, left) });
      break;
    }
    shown.push({ ...span, text });
    left -= width;
  }
  return shown;
}

function cutText(text: string, room: number): string {
  let cut = "";
  let left = room - 1;
  for (const character of text) {
    left -= measureText(character);
    if (left < 0) break;
    cut += character;
  }
  return room > 0 ? `${cut}…` : "";
}

function paintSpan({ text, tone }: Span, { isColoured }: LineFormat): string {
  if (!isColoured || tone === undefined || text === "") return text;
  return styleText([...styles[tone]], text, { validateStream: false });
}

// Ideographs, syllables of the same width, full-width forms and pictures.
const wide = /[\p{sc=Han}\p{sc=Hangul}\p{sc=Hira}\p{sc=Kana}\p{Emoji_Presentation}\uff00-\uff60]/u;

/** The cells that a text takes in a terminal: an estimate that errs towards more. */
export function measureText(text: string): number {
  let cells = 0;
  for (const character of text) {
    if (/\p{Mark}/u.test(character)) continue;
    cells += wide.test(character) ? 2 : 1;
  }
  return cells;
}
