import type { SeenCall } from "../program/answers.ts";
import { callIdsOf } from "./seen-trace.ts";

/**
 * Calls that ran at the same time share no id: an event of one in the trace of the other would
 * bring its id along.
 */
export function findApartProblems(calls: readonly SeenCall[]): string[] {
  const problems: string[] = [];
  const owners = new Map<string, number>();
  for (const [index, { result }] of calls.entries()) {
    for (const callId of callIdsOf(result.trace)) {
      const owner = owners.get(callId);
      if (owner !== undefined) problems.push(`calls ${owner} and ${index} share the id ${callId}`);
      owners.set(callId, index);
    }
  }
  return problems;
}
