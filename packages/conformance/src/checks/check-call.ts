import type { SeenCall } from "../program/answers.ts";
import type { CallExpectation } from "../vectors/conformance-case.ts";
import { checkCounts, checkIncluded, checkTrace } from "./check-events.ts";
import { checkPayload } from "./check-payload.ts";
import { findDifference, findMismatch } from "./find-mismatch.ts";
import { traceRules } from "./trace-rules.ts";

/** Compares one call with what its vector expects. Only what the vector names is compared. */
export function checkCall(expect: CallExpectation, seen: SeenCall): string[] {
  const { result } = seen;
  return [
    ...checkOutcome(expect, seen),
    ...checkTrace(expect.trace, result.trace),
    ...checkIncluded(expect.includes, result.trace),
    ...checkCounts(expect.counts, result.trace),
    ...(expect.payloads ?? []).flatMap((payload) => checkPayload(payload, result.trace)),
    ...(expect.rules ?? []).flatMap((rule) => traceRules[rule](result.trace)),
    ...checkSequence(expect.backendRequests, seen.backendRequests, "request to the backend"),
    ...checkSequence(expect.toolCalls, seen.toolCalls, "call of a tool"),
    ...found(
      expect.inputAfter === undefined
        ? undefined
        : findDifference(expect.inputAfter, seen.inputAfter, "the caller's input afterwards"),
    ),
  ];
}

function checkOutcome(expect: CallExpectation, { result }: SeenCall): string[] {
  const problems: string[] = [];
  if (expect.status !== undefined) {
    problems.push(...found(findDifference(expect.status, result.status, "status")));
    if ((result.output !== undefined) !== (result.status === "ok")) {
      problems.push("a result has an output if and only if its status is ok");
    }
    if ((result.error !== undefined) !== (result.status === "error")) {
      problems.push("a result has an error if and only if its status is error");
    }
  }
  if (expect.output !== undefined) {
    problems.push(...found(findDifference(expect.output, result.output, "output")));
  }
  if (expect.error !== undefined) {
    problems.push(...found(findMismatch(expect.error, result.error, "error")));
  }
  return problems;
}

function checkSequence(
  expected: readonly unknown[] | undefined,
  actual: readonly unknown[],
  what: string,
): string[] {
  if (expected === undefined) return [];
  if (expected.length !== actual.length) {
    return [`expected ${expected.length} times a ${what}, got ${actual.length}`];
  }
  return expected.flatMap((item, index) =>
    found(findMismatch(item, actual[index], `${what} ${index}`)),
  );
}

function found(problem: string | undefined): string[] {
  return problem === undefined ? [] : [problem];
}
