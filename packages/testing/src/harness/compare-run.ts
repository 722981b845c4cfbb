/** Compares the result of a run with a harness's expectation. */
import { isPlainObject, type JsonObject, type JsonValue } from "@turnseal/protocol";
import { compareNamed, type Difference } from "./difference.ts";
import type { EventsExpectation, RunExpectation } from "./harness.ts";

/** The places where they differ. `actual` is the result of `describeRun`. */
export function compareRun(
  { events, handoffs = [], stopped, waiting, ...named }: RunExpectation,
  actual: JsonObject,
  path: string,
): Difference[] {
  const below = listOf(actual["handoffs"]);
  return [
    ...compareEnd({ stopped, waiting }, actual, path),
    ...compareNamed(named as unknown as JsonValue, actual, path),
    ...compareEvents(events, listOf(actual["events"]), `${path}/events`),
    ...handoffs.flatMap((handoff, index) => {
      const run = below[index];
      const place = `${path}/handoffs/${index}`;
      if (isPlainObject(run)) return compareRun(handoff, run as JsonObject, place);
      return [{ path: place, expected: handoff as unknown as JsonValue, actual: undefined }];
    }),
  ];
}

interface Ends {
  readonly stopped: RunExpectation["stopped"] | undefined;
  readonly waiting: RunExpectation["waiting"] | undefined;
}

/** A run has stopped or it waits: an unmet expectation of one shows the other. */
function compareEnd({ stopped, waiting }: Ends, actual: JsonObject, path: string): Difference[] {
  const { stopped: reason, waiting: asked, blocked } = actual;
  if (stopped !== undefined && reason === undefined) {
    const left = blocked === undefined ? { waiting: asked ?? [] } : { blocked };
    return [{ path: `${path}/stopped`, expected: stopped, actual: left }];
  }
  if (waiting !== undefined && reason !== undefined) {
    const expected = waiting as unknown as JsonValue;
    return [{ path: `${path}/waiting`, expected, actual: { stopped: reason } }];
  }
  return [
    ...(stopped === undefined ? [] : compareNamed(stopped, reason, `${path}/stopped`)),
    ...(waiting === undefined
      ? []
      : compareNamed(waiting as unknown as JsonValue, asked, `${path}/waiting`)),
  ];
}

function compareEvents(
  expected: RunExpectation["events"],
  actual: readonly JsonValue[],
  path: string,
): Difference[] {
  if (expected === undefined) return [];
  if (isList(expected)) return compareNamed([...expected], [...actual], path);
  const { includes = [], excludes = [] } = expected;
  return [
    ...compareIncluded(includes, actual, `${path}/includes`),
    ...excludes.flatMap((type, index) =>
      actual.includes(type)
        ? [{ path: `${path}/excludes/${index}`, expected: undefined, actual: type }]
        : [],
    ),
  ];
}

function isList(expected: readonly string[] | EventsExpectation): expected is readonly string[] {
  return Array.isArray(expected);
}

/** These in this order, with anything in between. */
function compareIncluded(
  expected: readonly string[],
  actual: readonly JsonValue[],
  path: string,
): Difference[] {
  let from = 0;
  for (const [index, type] of expected.entries()) {
    const found = actual.indexOf(type, from);
    if (found === -1) {
      const rest = actual.slice(from);
      return [{ path: `${path}/${index}`, expected: type, actual: rest }];
    }
    from = found + 1;
  }
  return [];
}

function listOf(value: JsonValue | undefined): readonly JsonValue[] {
  return Array.isArray(value) ? value : [];
}
