/** Finds problems between a flow and the loops that it calls. */
import { type Problem, QUESTION_TOOL } from "@turnseal/protocol";
import type { CheckedLoop } from "../definition/check-loop.ts";
import { listNodeReferences } from "../definition/flow/list-nodes.ts";
import { checkFlowNotes } from "./check-flow-notes.ts";
import { checkFlowThreads } from "./check-flow-threads.ts";
import type { Resolve } from "./list-below.ts";

/** Threads and notes with two writers, and questions that ask nothing. */
export function checkFlowTargets({ definition }: CheckedLoop, resolve: Resolve): Problem[] {
  const { flow } = definition.composite ?? {};
  if (flow === undefined) return [];
  const unfit = listNodeReferences(flow).flatMap(({ loopId, loopVersion, path, isQuestion }) => {
    const target = isQuestion ? resolve(loopId, loopVersion)?.definition : undefined;
    if (target === undefined || target.tool?.implementation === QUESTION_TOOL) return [];
    const message = `${loopId} asks nothing: its implementation is not ${QUESTION_TOOL}`;
    const mend = "name a loop that asks a question, or make the wait a call";
    return [{ rule: "setting-unfit", path: `${path}/loopId`, message, mend } as const];
  });
  return [...unfit, ...checkFlowThreads(flow, resolve), ...checkFlowNotes(flow, resolve)];
}
