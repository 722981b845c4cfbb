/**
 * Patterns over the arguments of an action (spec/approval.md §11.3).
 *
 * 1. Each field of the arguments needs a condition: a field that is not named is not covered.
 * 2. What is no pattern fits nothing.
 */
import { canonicalize, isPlainObject, type JsonValue } from "../canonical-json.ts";
import { isGlob, matchesGlob } from "../grant/glob.ts";
import { hasOnly, type Is, isText, isTrue, isWhole } from "../shape.ts";

/** A condition for the value of one field. */
export type Condition =
  | { readonly equals: JsonValue }
  | { readonly glob: string }
  | { readonly atLeast?: number; readonly atMost?: number }
  | { readonly any: true };

/** A condition for each field that the arguments may have. */
export type Pattern = Readonly<Record<string, Condition>>;

/** Fields that a pattern may name. */
export const PATTERN_FIELDS_MAX = 64;
/** UTF-16 units of a pattern in canonical form. */
export const PATTERN_LENGTH_MAX = 65_536;

/** True for a pattern whose every condition is known. */
export function isPattern(value: unknown): value is Pattern {
  if (!isPlainObject(value)) return false;
  const conditions = Object.values(value);
  return (
    conditions.length <= PATTERN_FIELDS_MAX &&
    conditions.every(isCondition) &&
    canonicalize(value as JsonValue).length <= PATTERN_LENGTH_MAX
  );
}

/** True when the arguments of an action fit the pattern of an approval. */
export function fitsPattern(pattern: unknown, given: JsonValue | undefined): boolean {
  if (!isPattern(pattern) || !isPlainObject(given)) return false;
  const isNamed = Object.keys(given).every((name) => Object.hasOwn(pattern, name));
  return (
    isNamed &&
    Object.entries(pattern).every(([name, condition]) =>
      fitsCondition(condition, Object.hasOwn(given, name) ? (given[name] as JsonValue) : undefined),
    )
  );
}

const isJson: Is<JsonValue> = (value): value is JsonValue => value !== undefined;
const isPathPattern: Is<string> = (value): value is string => isText(value) && isGlob(value);
const isEquals = hasOnly({ equals: isJson });
const isBelow = hasOnly({ glob: isPathPattern });
const isBetween = hasOnly({}, { atLeast: isWhole, atMost: isWhole });
const isAny = hasOnly({ any: isTrue });

function isCondition(value: unknown): value is Condition {
  if (isEquals(value) || isBelow(value) || isAny(value)) return true;
  return isBetween(value) && (value.atLeast !== undefined || value.atMost !== undefined);
}

function fitsCondition(condition: Condition, value: JsonValue | undefined): boolean {
  if ("any" in condition) return true;
  if (value === undefined) return false;
  if ("equals" in condition) return canonicalize(condition.equals) === canonicalize(value);
  if ("glob" in condition) return typeof value === "string" && matchesGlob(condition.glob, value);
  const { atLeast = Number.NEGATIVE_INFINITY, atMost = Number.POSITIVE_INFINITY } = condition;
  return typeof value === "number" && value >= atLeast && value <= atMost;
}
