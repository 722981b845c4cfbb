/** The types that fields of a loop document can have (spec/loop.md §1, §2). */
import { isPlainObject } from "../canonical-json.ts";
import { copyJson, VALUE_BYTES_MAX } from "../copy-json.ts";
import { ROLLBACK_CAUSES } from "../outcomes.ts";
import { parsePointer } from "../pointer.ts";
import { type Form, hasOnly, isCount, isFlag, isListOf, isOneOf, isText } from "../shape.ts";
import { CACHE_STRATEGIES } from "./cache-spec.ts";
import {
  ERROR_CHOICES,
  ITEM_ERROR_CHOICES,
  ITERATION_SCOPES,
  LIMIT_CHOICES,
  RETRIED_CODES,
  RETRY_STRATEGIES,
  SPREADS,
} from "./flow-spec.ts";
import { isNoteKey } from "./note-spec.ts";
import { parsePath } from "./path.ts";

/** Fields of an input that a prompt may declare as files. */
export const FILE_POINTERS_MAX = 16;
/** UTF-16 units of the name of a thread. */
export const THREAD_NAME_LENGTH_MAX = 64;

export const FIELD_TYPES = {
  // Names are kept by stores that have no NUL in texts.
  text: { accepts: isWithoutNul, wanted: "a string without NUL" },
  name: { accepts: isWithoutNul, wanted: "a string without NUL" },
  string: { accepts: isText, wanted: "a string" },
  schema: { accepts: (value) => isPlainObject(value) || isFlag(value), wanted: "a JSON Schema" },
  object: { accepts: isPlainObject, wanted: "an object" },
  strings: { accepts: isListOf(isText), wanted: "a list of strings" },
  texts: {
    accepts: isListOf((item): item is string => isText(item) && item !== ""),
    wanted: "a list of strings that are not empty",
  },
  objects: { accepts: isListOf(isPlainObject), wanted: "a list of objects" },
  count: { accepts: isPositive, wanted: "a positive whole number" },
  whole: { accepts: isCount, wanted: "a whole number of at least zero" },
  boolean: { accepts: isFlag, wanted: "true or false" },
  thread: {
    accepts: (value) => isFlag(value) || isThreadName(value),
    wanted: `true, false or a name of at most ${THREAD_NAME_LENGTH_MAX} letters, digits, - and _`,
  },
  pointers: {
    accepts: arePointers,
    wanted: `a list of 1 to ${FILE_POINTERS_MAX} different JSON Pointers, such as "/photo"`,
  },
  cache: oneOf(CACHE_STRATEGIES),
  number: { accepts: Number.isFinite, wanted: "a number" },
  mapping: {
    accepts: isMapping,
    wanted: "an object of paths, `literal:` texts, { const } or { cel }",
  },
  value: { accepts: () => true, wanted: "a value" },
  source: {
    accepts: isMappingSource,
    wanted: "a path, a `literal:` text, { const } or { cel }",
  },
  summary: {
    accepts: (value) => isText(value) || hasOnly({ cel: isText })(value),
    wanted: "a text or { cel }",
  },
  join: { accepts: isJoin, wanted: "all, any or { quorum } with a positive whole number" },
  tolerance: {
    accepts: isTolerance,
    wanted: "{ count } with a whole number or { percent } with a number from 0 to 100",
  },
  codes: {
    accepts: isListOf(isOneOf(RETRIED_CODES), { least: 1 }),
    wanted: `a list of codes that are worth another try: ${RETRIED_CODES.join(", ")}`,
  },
  causes: {
    accepts: areCauses,
    wanted: `a list of different ones of ${ROLLBACK_CAUSES.join(", ")}`,
  },
  noteFields: {
    accepts: areNoteFields,
    wanted: "an object from keys of notes to names of fields",
  },
  goal: {
    accepts: isGoal,
    wanted: "a `path` such as $.output.score, and `equals` or a number in `atLeast`",
  },
  errorRule: oneOf(ERROR_CHOICES),
  itemErrorRule: oneOf(ITEM_ERROR_CHOICES),
  iterationScope: oneOf(ITERATION_SCOPES),
  limitRule: oneOf(LIMIT_CHOICES),
  retryStrategy: oneOf(RETRY_STRATEGIES),
  spread: oneOf(SPREADS),
} as const satisfies Readonly<Record<string, Form>>;

export type FieldType = keyof typeof FIELD_TYPES;

function oneOf(words: readonly string[]): Form {
  return { accepts: isOneOf(words), wanted: `one of ${words.join(", ")}` };
}

function areCauses(value: unknown): boolean {
  return isListOf(isOneOf(ROLLBACK_CAUSES))(value) && new Set(value).size === value.length;
}

function isPositive(value: unknown): value is number {
  return isCount(value) && value > 0;
}

function isJoin(value: unknown): boolean {
  return isOneOf(["all", "any"])(value) || hasOnly({ quorum: isPositive })(value);
}

function isTolerance(value: unknown): boolean {
  return hasOnly({ count: isCount })(value) || hasOnly({ percent: isPercent })(value);
}

function isPercent(value: unknown): value is number {
  return typeof value === "number" && value >= 0 && value <= 100;
}

const threadName = /^[A-Za-z0-9][A-Za-z0-9_-]*$/;

/** A place in a definition begins with a slash, so that no name is one. */
export function isThreadName(value: unknown): value is string {
  return (
    typeof value === "string" && value.length <= THREAD_NAME_LENGTH_MAX && threadName.test(value)
  );
}

function arePointers(value: unknown): boolean {
  return (
    isListOf(isText)(value) &&
    value.length > 0 &&
    value.length <= FILE_POINTERS_MAX &&
    new Set(value).size === value.length &&
    value.every((pointer) => !pointer.includes("\0") && parsePointer(pointer) !== undefined)
  );
}

function isWithoutNul(value: unknown): boolean {
  return typeof value === "string" && !value.includes("\0");
}

function isMapping(value: unknown): boolean {
  return isPlainObject(value) && Object.values(value).every(isMappingSource);
}

/** A text, a constant or an expression; what a text or an expression says is another's to check. */
export function isMappingSource(value: unknown): boolean {
  if (!isPlainObject(value)) return isText(value);
  const fields = Object.keys(value).join();
  return fields === "const" || (fields === "cel" && isText(value["cel"]));
}

/** The names that a field gives: those of mapped fields, variables or a binding. */
export function listNames(value: unknown, type: FieldType): readonly string[] {
  if (type === "mapping") return Object.keys(value as object);
  if (type === "strings") return value as string[];
  return type === "name" ? [value as string] : [];
}

function isGoal(value: unknown): boolean {
  if (!isPlainObject(value)) return false;
  const { path, equals, atLeast, ...unknown } = value;
  const isRead = typeof path === "string" && parsePath(path).kind !== "refused";
  const hasOne = (equals === undefined) !== (atLeast === undefined);
  const isNumber = atLeast === undefined || Number.isFinite(atLeast);
  const isKept = equals === undefined || copyJson(equals, VALUE_BYTES_MAX).kind === "copied";
  return isRead && hasOne && isNumber && isKept && Object.keys(unknown).length === 0;
}

function areNoteFields(value: unknown): boolean {
  if (!isPlainObject(value)) return false;
  const entries = Object.entries(value);
  return entries.length > 0 && entries.every(([key, field]) => isNoteKey(key) && isText(field));
}
