import type { SeenEvent } from "../program/answers.ts";
import type { PayloadExpectation } from "../vectors/conformance-case.ts";
import { findDifference, findMismatch, showValue } from "./find-mismatch.ts";
import { callIdsOf } from "./seen-trace.ts";

/**
 * Every event of the type, or of the type and the call, has exactly these keys and at least these
 * values.
 */
export function checkPayload(expected: PayloadExpectation, trace: readonly SeenEvent[]): string[] {
  const callIds = callIdsOf(trace);
  const events = trace.filter(
    ({ type, callId }) =>
      type === expected.type &&
      (expected.call === undefined || callIds.indexOf(callId) === expected.call),
  );
  if (events.length === 0) return [`no event ${expected.type}`];
  return events.flatMap(({ payload }) => checkPayloadFields(expected, payload));
}

function checkPayloadFields(
  expected: PayloadExpectation,
  payload: Readonly<Record<string, unknown>>,
): string[] {
  const keys = Object.keys(payload).filter((key) => !expected.optional?.includes(key));
  const { type } = expected;
  const problems = [
    ...found(findDifference([...expected.keys].sort(), keys.sort(), `keys of ${type}`)),
    ...found(findMismatch(expected.values ?? {}, payload, type)),
  ];
  const requireField = (name: string, isRight: boolean, what: string) => {
    if (isRight) return;
    problems.push(`${type}.${name} must be ${what}, got ${showValue(payload[name])}`);
  };
  for (const name of expected.durations ?? []) {
    requireField(name, isAtLeastZero(payload[name]), "a number of at least zero");
  }
  for (const name of expected.counts ?? []) {
    const count = payload[name];
    requireField(name, isAtLeastZero(count) && Number.isInteger(count), "a count");
  }
  for (const name of expected.texts ?? []) {
    const text = payload[name];
    requireField(name, typeof text === "string" && text !== "", "a text that is not empty");
  }
  return problems;
}

function isAtLeastZero(value: unknown): boolean {
  return typeof value === "number" && Number.isFinite(value) && value >= 0;
}

function found(problem: string | undefined): string[] {
  return problem === undefined ? [] : [problem];
}
