/** A deviation from the harness, and the comparison that finds it. */

import { canonicalize, isPlainObject, type JsonValue } from "@turnseal/protocol";
import type { LoopChange } from "@turnseal/views";

export interface Difference {
  /** Where in the harness file the expectation stands. */
  readonly path: string;
  /** Undefined where there is nothing. */
  readonly expected: JsonValue | undefined;
  readonly actual: JsonValue | undefined;
  /** The loop whose document is another now, and what is another in it, where that is known. */
  readonly loop?: string;
  readonly changes?: readonly LoopChange[];
}

/** Fields that hold a value of the run's own, and not a list of expectations about it. */
export const wholeFields: ReadonlySet<string> = new Set(["output", "request"]);

/** Compares what is named: a field that the expectation leaves out may be anything. */
export function compareNamed(
  expected: JsonValue,
  actual: JsonValue | undefined,
  path: string,
): Difference[] {
  if (Array.isArray(expected)) return compareLists(expected, actual, path, compareNamed);
  if (!isPlainObject(expected) || !isPlainObject(actual))
    return compareWhole(expected, actual, path);
  return Object.entries(expected).flatMap(([name, field]) => {
    const compare = wholeFields.has(name) ? compareWhole : compareNamed;
    return compare(field as JsonValue, actual[name] as JsonValue | undefined, `${path}/${name}`);
  });
}

/** Compares everything, and names the places that differ. */
export function compareWhole(
  expected: JsonValue | undefined,
  actual: JsonValue | undefined,
  path: string,
): Difference[] {
  if (Array.isArray(expected)) return compareLists(expected, actual, path, compareWhole);
  if (isPlainObject(expected) && isPlainObject(actual)) {
    const names = new Set([...Object.keys(expected), ...Object.keys(actual)]);
    return [...names].flatMap((name) =>
      compareWhole(
        expected[name] as JsonValue | undefined,
        actual[name] as JsonValue | undefined,
        `${path}/${name}`,
      ),
    );
  }
  return isSame(expected, actual) ? [] : [{ path, expected, actual }];
}

/** Of two lists only the first difference is reported: the rest is often only moved. */
function compareLists(
  expected: readonly JsonValue[],
  actual: JsonValue | undefined,
  path: string,
  compare: (expected: JsonValue, actual: JsonValue | undefined, path: string) => Difference[],
): Difference[] {
  if (!Array.isArray(actual)) return [{ path, expected: [...expected], actual }];
  for (const [index, item] of expected.entries()) {
    const differences = compare(item, actual[index] as JsonValue | undefined, `${path}/${index}`);
    if (differences.length > 0) return differences;
  }
  if (actual.length === expected.length) return [];
  const more = actual[expected.length] as JsonValue;
  return [{ path: `${path}/${expected.length}`, expected: undefined, actual: more }];
}

function isSame(expected: JsonValue | undefined, actual: JsonValue | undefined): boolean {
  if (expected === undefined || actual === undefined) return expected === actual;
  return canonicalize(expected) === canonicalize(actual);
}
