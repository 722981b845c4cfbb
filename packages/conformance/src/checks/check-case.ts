import type { JsonValue } from "@turnseal/protocol";
import type { ListedLoop, LoadedDocument, SeenCall } from "../program/answers.ts";
import type { CaseExpectation } from "../vectors/conformance-case.ts";
import { checkCall } from "./check-call.ts";
import { findApartProblems } from "./find-apart-problems.ts";
import { findDifference } from "./find-mismatch.ts";
import { normalizeTrace } from "./normalize-trace.ts";

/** Everything that was seen of a program during one case. */
export interface Observation {
  readonly documents: readonly LoadedDocument[];
  readonly list: readonly ListedLoop[];
  readonly got: readonly (JsonValue | undefined)[];
  readonly calls: readonly SeenCall[];
}

/** Compares the program's answers with the vector, and lists the differences. */
export function checkCase(expect: CaseExpectation, seen: Observation): string[] {
  return [
    ...checkDocuments(expect.documents, seen.documents),
    ...checkList(expect.list, seen.list),
    ...(expect.got ?? []).flatMap(
      (document, index) => findDifference(document, seen.got[index], `document ${index}`) ?? [],
    ),
    ...(expect.calls ?? []).flatMap((call, index) => checkSeenCall(call, seen.calls[index], index)),
    ...checkSameTraces(expect.sameTrace, seen.calls),
    ...(expect.apart === undefined ? [] : findApartProblems(seen.calls)),
  ];
}

/** A vector that says nothing of a document needs it, so it must be accepted. */
function checkDocuments(
  expected: CaseExpectation["documents"],
  documents: readonly LoadedDocument[],
): string[] {
  return documents.flatMap((document, index) => {
    const { kind, mentions } = expected?.[index] ?? { kind: "accepted" as const };
    const said = (document.problems ?? []).map(({ path, message }) => `${path} ${message}`);
    if (document.kind !== kind) {
      return [`document ${index} was ${document.kind}, not ${kind} (${said.join("; ")})`];
    }
    if (mentions === undefined || said.some((text) => text.includes(mentions))) return [];
    return [`no problem of document ${index} mentions ${mentions} (${said.join("; ")})`];
  });
}

function checkList(expected: CaseExpectation["list"], list: readonly ListedLoop[]): string[] {
  if (expected === undefined) return [];
  const names = (loops: readonly ListedLoop[]) =>
    loops.map(({ id, version }) => `${id}@${version}`).sort();
  const difference = findDifference(names(expected), names(list), "list");
  return difference === undefined ? [] : [difference];
}

function checkSeenCall(
  expected: Parameters<typeof checkCall>[0],
  seen: SeenCall | undefined,
  index: number,
): string[] {
  if (seen === undefined) return [`call ${index} was not answered`];
  return checkCall(expected, seen).map((problem) => `call ${index}: ${problem}`);
}

/** A child's part of its parent's trace is the trace of the same call made alone. */
function checkSameTraces(
  expected: CaseExpectation["sameTrace"],
  calls: readonly SeenCall[],
): string[] {
  return (expected ?? []).flatMap(({ call, child, alone }) => {
    const inside = normalizeTrace(calls[call]?.result.trace ?? [], child);
    const outside = normalizeTrace(calls[alone]?.result.trace ?? [], 0);
    if (inside.length === 0) return [`call ${call} has no child ${child} in its trace`];
    const where = `trace of child ${child} of call ${call} against call ${alone}`;
    return findDifference(outside, inside, where) ?? [];
  });
}
