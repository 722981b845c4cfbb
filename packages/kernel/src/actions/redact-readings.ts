/**
 * The ways in which a text can spell bytes: as they are, escaped as in URLs, forms and JSON, as hex
 * digits, as base64. Each reads the whole text once.
 *
 * Hex and base64 are read from every place where a group could begin, so the text before a secret
 * does not matter.
 */
import type { PieceFinder } from "./redact-pieces.ts";

export type Reading = (text: Uint8Array, finder: PieceFinder) => void;

/** Every reading of a text. */
export const READINGS: readonly Reading[] = [
  readPlain,
  (text, finder) => readEscaped(text, finder, { plusIsSpace: false }),
  (text, finder) => readEscaped(text, finder, { plusIsSpace: true }),
  ...[0, 1].map((phase) => readDigits({ bitsPerDigit: 4, digits: tableOf(hexValue), phase })),
  ...[0, 1, 2, 3].map((phase) =>
    readDigits({ bitsPerDigit: 6, digits: tableOf(base64Value), phase }),
  ),
];

function readPlain(text: Uint8Array, finder: PieceFinder): void {
  for (let at = 0; at < text.length; at++) finder.read(text[at] ?? 0, at, at + 1);
}

const [PERCENT, PLUS, SPACE, BACKSLASH] = [0x25, 0x2b, 0x20, 0x5c];

function readEscaped(
  text: Uint8Array,
  finder: PieceFinder,
  { plusIsSpace }: { readonly plusIsSpace: boolean },
): void {
  // Without any of these it reads as it stands.
  const marks = plusIsSpace ? [PLUS] : [PERCENT, BACKSLASH];
  if (!marks.some((mark) => text.includes(mark))) return;
  for (let at = 0; at < text.length; ) {
    const byte = text[at] ?? 0;
    const found = byte === PERCENT || byte === BACKSLASH ? readEscape(text, at) : undefined;
    const end = at + (found?.length ?? 1);
    for (const read of found?.bytes ?? [plusIsSpace && byte === PLUS ? SPACE : byte])
      finder.read(read, at, end);
    at = end;
  }
}

interface Escape {
  readonly bytes: Iterable<number>;
  /** Bytes of the text that it takes. */
  readonly length: number;
}

const shortEscapes: ReadonlyMap<string, number> = new Map([
  ["b", 0x08],
  ["t", 0x09],
  ["n", 0x0a],
  ["f", 0x0c],
  ["r", 0x0d],
  ['"', 0x22],
  ["'", 0x27],
  ["/", 0x2f],
  ["\\", 0x5c],
]);

/** `%41`, `\x41`, `\u0041`, a pair of `\u`, or `\n` and its like. */
function readEscape(text: Uint8Array, at: number): Escape | undefined {
  if (text[at] === PERCENT) return readHexEscape(text, at, { prefix: 1, digits: 2 });
  const kind = String.fromCharCode(text[at + 1] ?? 0);
  if (kind === "x") return readHexEscape(text, at, { prefix: 2, digits: 2 });
  if (kind === "u") return readUnicodeEscape(text, at);
  const byte = shortEscapes.get(kind);
  return byte === undefined ? undefined : { bytes: [byte], length: 2 };
}

function readHexEscape(
  text: Uint8Array,
  at: number,
  { prefix, digits }: { readonly prefix: number; readonly digits: number },
): Escape | undefined {
  const value = readHex(text, at + prefix, digits);
  return value === undefined ? undefined : { bytes: [value], length: prefix + digits };
}

function readUnicodeEscape(text: Uint8Array, at: number): Escape | undefined {
  const first = readUnit(text, at);
  if (first === undefined) return undefined;
  const isHigh = first >= 0xd800 && first < 0xdc00;
  const second = isHigh ? readUnit(text, at + 6) : undefined;
  const units = second === undefined ? [first] : [first, second];
  const bytes = new TextEncoder().encode(String.fromCharCode(...units));
  return { bytes, length: units.length * 6 };
}

function readUnit(text: Uint8Array, at: number): number | undefined {
  const isEscape = text[at] === BACKSLASH && text[at + 1] === 0x75;
  return isEscape ? readHex(text, at + 2, 4) : undefined;
}

function readHex(text: Uint8Array, at: number, digits: number): number | undefined {
  let value = 0;
  for (let index = at; index < at + digits; index++) {
    const digit = hexValue(text[index] ?? 0);
    if (digit === undefined) return undefined;
    value = value * 16 + digit;
  }
  return value;
}

interface DigitSystem {
  readonly bitsPerDigit: number;
  /** The value of each byte as a digit; -1 for any other byte. */
  readonly digits: Int8Array;
  /** The number of digits before the first group. */
  readonly phase: number;
}

/** Reads runs of digits as a stream of bits, and the bits as bytes. */
function readDigits({ bitsPerDigit, digits, phase }: DigitSystem): Reading {
  return (text, finder) => {
    let skipped = 0;
    let bits = 0;
    let held = 0;
    // Where the digit stands that the first of the held bits came from.
    let start = 0;
    for (let at = 0; at < text.length; at++) {
      const value = digits[text[at] ?? 0] ?? -1;
      if (value < 0) {
        if (skipped >= phase) finder.breakOff();
        skipped = 0;
        held = 0;
        continue;
      }
      if (skipped < phase) {
        skipped += 1;
        continue;
      }
      if (held === 0) start = at;
      bits = ((bits << bitsPerDigit) | value) & 0xffff;
      held += bitsPerDigit;
      if (held < 8) continue;
      held -= 8;
      finder.read((bits >> held) & 0xff, start, at + 1);
      start = at;
    }
    finder.breakOff();
  };
}

function tableOf(valueOfByte: (byte: number) => number | undefined): Int8Array {
  return Int8Array.from({ length: 256 }, (_, byte) => valueOfByte(byte) ?? -1);
}

function hexValue(byte: number): number | undefined {
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30;
  const letter = (byte | 0x20) - 0x61;
  return letter >= 0 && letter < 6 ? letter + 10 : undefined;
}

/** Both alphabets at once: `+` and `-`, `/` and `_`. */
function base64Value(byte: number): number | undefined {
  if (byte >= 0x41 && byte <= 0x5a) return byte - 0x41;
  if (byte >= 0x61 && byte <= 0x7a) return byte - 0x61 + 26;
  if (byte >= 0x30 && byte <= 0x39) return byte - 0x30 + 52;
  if (byte === 0x2b || byte === 0x2d) return 62;
  return byte === 0x2f || byte === 0x5f ? 63 : undefined;
}
