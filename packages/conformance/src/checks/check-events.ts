/**
 * Which events a trace has, and in which order. In an expectation `call` counts the calls of the
 * trace by their first event.
 */
import type { SeenEvent } from "../program/answers.ts";
import type { EventExpectation } from "../vectors/conformance-case.ts";
import { findDifference, findMismatch } from "./find-mismatch.ts";
import { callIdsOf } from "./seen-trace.ts";

type Expected<Item> = Item | undefined;

/** These events and no others. */
export function checkTrace(
  expected: Expected<readonly EventExpectation[]>,
  trace: readonly SeenEvent[],
): string[] {
  if (expected === undefined) return [];
  const callIds = callIdsOf(trace);
  const order = findDifference(
    expected.map(({ call, type }) => `${call} ${type}`).join(", "),
    trace.map(({ callId, type }) => `${callIds.indexOf(callId)} ${type}`).join(", "),
    "events",
  );
  if (order !== undefined) return [order];
  return expected.flatMap(
    ({ type, payload = {} }, index) =>
      findMismatch(payload, trace[index]?.payload, `event ${index} (${type})`) ?? [],
  );
}

/** These events in this order; others may stand before, between and after them. */
export function checkIncluded(
  expected: Expected<readonly EventExpectation[]>,
  trace: readonly SeenEvent[],
): string[] {
  const callIds = callIdsOf(trace);
  let position = 0;
  for (const [index, { call, type, payload = {} }] of (expected ?? []).entries()) {
    const next = trace.findIndex(
      (event, at) =>
        at >= position &&
        event.type === type &&
        callIds.indexOf(event.callId) === call &&
        findMismatch(payload, event.payload, "") === undefined,
    );
    if (next === -1) return [`expected event ${index} (${call} ${type}) is not in its place`];
    position = next + 1;
  }
  return [];
}

/** So many events of each type. */
export function checkCounts(
  expected: Expected<Readonly<Record<string, number>>>,
  trace: readonly SeenEvent[],
): string[] {
  return Object.entries(expected ?? {}).flatMap(([type, count]) => {
    const actual = trace.filter((event) => event.type === type).length;
    return actual === count ? [] : [`expected ${count} times ${type}, got ${actual}`];
  });
}
