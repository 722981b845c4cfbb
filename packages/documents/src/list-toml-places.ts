/**
 * Where everything stands in a TOML text. The parser gives values without places; this reads the
 * same text once more for the places alone, and only a text that the parser has accepted.
 */
import { formatPointer, JSON_DEPTH_MAX } from "@turnseal/protocol";

/** UTF-16 units of all pointers of a text; the places of further ones are not kept. */
export const PLACES_LENGTH_MAX = 32 * 1024 * 1024;

/** Offsets by JSON Pointer: of a field its key, of an item of tables its header. */
export type TomlPlaces = ReadonlyMap<string, number>;

interface Reading {
  readonly text: string;
  readonly places: Map<string, number>;
  /** How many items a list of tables has so far. */
  readonly items: Map<string, number>;
  /** The length that further pointers may have. */
  left: number;
  at: number;
}

interface Key {
  readonly name: string;
  readonly offset: number;
}

/** Lists the places of a text. */
export function listTomlPlaces(text: string): TomlPlaces {
  const [places, items] = [new Map<string, number>(), new Map<string, number>()];
  const reading: Reading = { text, places, items, left: PLACES_LENGTH_MAX, at: 0 };
  let table = "";
  for (skip(reading, BLANK); reading.at < text.length; skip(reading, BLANK)) {
    if (text[reading.at] === "[") table = readHeader(reading);
    else readField(reading, table);
  }
  return reading.places;
}

const BLANK = /(?:[\s,]|#[^\n]*)*/y;
const SPACE = /[ \t]*/y;
const DOT = /[ \t]*\.[ \t]*/y;
const BARE_KEY = /[^\s.=\]"'#]*/y;
const BARE_VALUE = /[^\n,\]}#]*/y;
const CLOSED = /\]+/y;
const TEXTS = [
  /"""(?:[^"\\]|\\[\s\S]|"(?!""))*"{3,5}/y,
  /'''(?:[^']|'(?!''))*'{3,5}/y,
  /"(?:[^"\\\n]|\\.)*"/y,
  /'[^'\n]*'/y,
];

/** Passes over what a pattern takes, and answers it. */
function skip(reading: Reading, pattern: RegExp): string {
  pattern.lastIndex = reading.at;
  const [taken = ""] = pattern.exec(reading.text) ?? [];
  reading.at += taken.length;
  return taken;
}

/** Passes over a text in quotes, if there is one. */
function skipText(reading: Reading): string {
  for (const pattern of TEXTS) {
    const taken = skip(reading, pattern);
    if (taken !== "") return taken;
  }
  return "";
}

/** `[a.b]` or `[[a.b]]`: the table that follows. */
function readHeader(reading: Reading): string {
  const offset = reading.at;
  const isItem = reading.text[offset + 1] === "[";
  reading.at += isItem ? 2 : 1;
  const keys = readKeys(reading);
  skip(reading, SPACE);
  skip(reading, CLOSED);
  let pointer = "";
  for (const [index, { name }] of keys.entries()) {
    pointer += formatPointer([name]);
    note(reading, pointer, offset);
    const known = reading.items.get(pointer) ?? 0;
    const isNew = isItem && index === keys.length - 1;
    if (isNew) reading.items.set(pointer, known + 1);
    if (isNew || known > 0) pointer += `/${isNew ? known : known - 1}`;
  }
  note(reading, pointer, offset);
  return pointer;
}

/** `a.b = value`, in a table or in braces. */
function readField(reading: Reading, table: string): void {
  const start = reading.at;
  let pointer = table;
  for (const { name, offset } of readKeys(reading)) {
    pointer += formatPointer([name]);
    note(reading, pointer, offset);
  }
  skip(reading, SPACE);
  reading.at += 1;
  skip(reading, SPACE);
  readValue(reading, pointer);
  // Accepted text always moves the reader on; the check keeps a mistake here from an endless loop.
  if (reading.at <= start) reading.at = start + 1;
}

function readKeys(reading: Reading): Key[] {
  const keys: Key[] = [];
  do {
    skip(reading, SPACE);
    const offset = reading.at;
    const quoted = skipText(reading);
    const name = quoted === "" ? skip(reading, BARE_KEY) : unquote(quoted);
    // Deeper values are refused.
    if (keys.length < JSON_DEPTH_MAX) keys.push({ name, offset });
  } while (skip(reading, DOT) !== "");
  return keys;
}

function readValue(reading: Reading, pointer: string): void {
  const first = reading.text[reading.at];
  if (first === "[") readItems(reading, pointer);
  else if (first === "{") readFields(reading, pointer);
  else if (skipText(reading) === "") skip(reading, BARE_VALUE);
}

function readItems(reading: Reading, pointer: string): void {
  reading.at += 1;
  for (let index = 0; ; index++) {
    skip(reading, BLANK);
    if (reading.at >= reading.text.length || reading.text[reading.at] === "]") break;
    note(reading, `${pointer}/${index}`, reading.at);
    readValue(reading, `${pointer}/${index}`);
  }
  reading.at += 1;
}

function readFields(reading: Reading, pointer: string): void {
  reading.at += 1;
  for (;;) {
    skip(reading, BLANK);
    if (reading.at >= reading.text.length || reading.text[reading.at] === "}") break;
    readField(reading, pointer);
  }
  reading.at += 1;
}

/** The first place counts: a table may be named again by those below it. */
function note(reading: Reading, pointer: string, offset: number): void {
  // One long key stands in the pointers of all below it.
  if (pointer.length > reading.left) return;
  reading.left -= pointer.length;
  if (!reading.places.has(pointer)) reading.places.set(pointer, offset);
}

function unquote(quoted: string): string {
  const inner = quoted.slice(1, -1);
  if (!quoted.startsWith('"')) return inner;
  try {
    return String(JSON.parse(quoted));
  } catch {
    // Escapes that only TOML has are rare in keys: the place is then that of what is around it.
    return inner;
  }
}
