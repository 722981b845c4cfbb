/**
 * Takes secrets out of a text that comes in pieces.
 *
 * 1. Finds a secret that is split over pieces: the stream holds back every end that could become a
 *    piece of a secret.
 * 2. Released text is never recalled, so the shown text and the stored text are the same.
 */
import { findCharacter } from "../context/find-character.ts";
import { PIECE_BYTES_MAX } from "../limits.ts";
import { cutOut, markSecrets } from "./mark-secrets.ts";
import type { Pieces } from "./redact-pieces.ts";

export interface TextStream {
  /** Returns the text that can be shown after this piece. */
  push(text: string): string;
  /** Returns the held-back text. */
  end(): string;
}

/** The longest way to spell a byte is `\u0041`. */
const SPELLED_BYTES_MAX = PIECE_BYTES_MAX * 6;

export function openTextStream(pieces: Pieces | undefined): TextStream {
  const redacted = pieces === undefined ? undefined : openWindow(pieces);
  let held = "";
  const pass = (text: string): string => redacted?.push(text) ?? text;
  return {
    push: (text) => {
      // Half of a character waits for its other half.
      const given = held + text;
      const isHalf = /[\uD800-\uDBFF]$/.test(given);
      held = isHalf ? given.slice(-1) : "";
      return pass((isHalf ? given.slice(0, -1) : given).toWellFormed());
    },
    end: () => {
      const rest = pass(held.toWellFormed());
      held = "";
      return rest + (redacted?.end() ?? "");
    },
  };
}

/**
 * A window of the text: the last released part, which a piece may reach back into, and the held
 * part.
 */
function openWindow(pieces: Pieces): TextStream {
  let bytes = new Uint8Array();
  let told = 0;
  let isOut = false;
  const tellUpTo = (end: number, marked: Uint8Array): string => {
    const part = [told, end] as const;
    const text = cutOut(bytes.subarray(...part), marked.subarray(...part), isOut);
    if (end > told) isOut = marked[end - 1] === 1;
    const start = findCharacter(bytes, Math.max(0, end - 2 * SPELLED_BYTES_MAX));
    bytes = bytes.slice(start);
    told = end - start;
    return text;
  };
  const mark = (): Uint8Array => markSecrets(bytes, pieces) ?? new Uint8Array(bytes.length);
  return {
    push: (text) => {
      bytes = join(bytes, new TextEncoder().encode(text));
      const end = findCharacter(bytes, Math.max(told, bytes.length - SPELLED_BYTES_MAX));
      return end > told ? tellUpTo(end, mark()) : "";
    },
    end: () => tellUpTo(bytes.length, mark()),
  };
}

function join(first: Uint8Array, second: Uint8Array): Uint8Array<ArrayBuffer> {
  const joined = new Uint8Array(first.length + second.length);
  joined.set(first);
  joined.set(second, first.length);
  return joined;
}
