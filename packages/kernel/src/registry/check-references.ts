/**
 * Checks references between loops. No problem refuses a registration, since a later one may fix it;
 * a call that meets it ends as an error.
 */
import type { Problem } from "@turnseal/protocol";
import { builtInSummarizer } from "../definition/built-in-summarizer.ts";
import type { CheckedLoop } from "../definition/check-loop.ts";
import { checkToolNames } from "../definition/check-prompt-tools.ts";
import { FLOW_PATH } from "../definition/flow/list-nodes.ts";
import { DEPTH_MAX } from "../limits.ts";
import { checkCaches } from "./check-caches.ts";
import { checkFlowTargets } from "./check-flow-targets.ts";
import { checkSummarizer } from "./check-summarizer.ts";
import { checkThreads } from "./check-threads.ts";
import { listReferences } from "./list-references.ts";

export interface ReferenceProblem {
  readonly loop: CheckedLoop;
  readonly problem: Problem;
}

type Resolve = (id: string, version?: string) => CheckedLoop | undefined;

/**
 * Unknown references, cycles, and loops whose worst case nests too deep. Takes time linear in the
 * number of steps.
 */
export function checkReferences(
  loops: readonly CheckedLoop[],
  resolve: Resolve,
): ReferenceProblem[] {
  const problems: ReferenceProblem[] = [];
  const references = new Map<CheckedLoop, CheckedLoop[]>();
  for (const loop of loops) {
    references.set(loop, resolveSteps(loop, resolve, problems));
  }
  references.set(builtInSummarizer, []);
  const depths = measureDepths([builtInSummarizer, ...loops], references);
  for (const loop of loops) {
    const depth = depths.get(loop);
    if (depth === undefined) {
      const problem = {
        rule: "reference-cycle",
        path: bodyPath(loop),
        message: "its steps lead into a cycle",
        mend: "break the cycle: a composite cannot call itself",
      } as const;
      problems.push({ loop, problem });
    } else if (depth > DEPTH_MAX) {
      const message = `its calls nest ${depth} deep, and at most ${DEPTH_MAX} may`;
      const mend = "make the nesting flatter";
      problems.push({
        loop,
        problem: { rule: "reference-depth", path: bodyPath(loop), message, mend },
      });
    }
  }
  return problems;
}

/** Where a composite calls others. */
function bodyPath({ flow }: CheckedLoop): string {
  return flow === undefined ? "/composite/steps" : FLOW_PATH;
}

function resolveSteps(
  loop: CheckedLoop,
  resolve: Resolve,
  problems: ReferenceProblem[],
): CheckedLoop[] {
  const { prompt } = loop.definition;
  problems.push(...checkCaches(loop, resolve).map((problem) => ({ loop, problem })));
  if (prompt?.tools !== undefined) {
    const named = checkToolNames(
      prompt,
      ({ loopId, loopVersion }) => resolve(loopId, loopVersion)?.definition,
    );
    const shared = checkThreads(loop, resolve);
    problems.push(...[...named, ...shared].map((problem) => ({ loop, problem })));
  }
  for (const problem of checkFlowTargets(loop, resolve)) problems.push({ loop, problem });
  for (const problem of checkSummarizer(loop, resolve)) problems.push({ loop, problem });
  for (const problem of checkTargets(loop, resolve)) problems.push({ loop, problem });
  return listReferences(loop).flatMap(
    ({ loopId, loopVersion }) => resolve(loopId, loopVersion) ?? [],
  );
}

/** The loops that one names and that are not registered. */
export function checkTargets(loop: CheckedLoop, resolve: Resolve): Problem[] {
  return listReferences(loop).flatMap(({ loopId, loopVersion, path }) => {
    if (resolve(loopId, loopVersion) !== undefined) return [];
    const wanted = loopVersion === undefined ? loopId : `${loopId} ${loopVersion}`;
    const message = `${wanted} is not registered`;
    const mend = "register it, or correct the reference";
    return [{ rule: "reference-unknown", path, message, mend }];
  });
}

/**
 * The depth of each loop's worst case, from the leaves up. A loop that leads into a cycle has none.
 */
function measureDepths(
  loops: readonly CheckedLoop[],
  references: ReadonlyMap<CheckedLoop, readonly CheckedLoop[]>,
): Map<CheckedLoop, number> {
  const callers = new Map<CheckedLoop, CheckedLoop[]>(loops.map((loop) => [loop, []]));
  const waitingFor = new Map<CheckedLoop, number>();
  for (const [loop, targets] of references) {
    waitingFor.set(loop, targets.length);
    for (const target of targets) callers.get(target)?.push(loop);
  }
  const depths = new Map<CheckedLoop, number>();
  const ready = loops.filter((loop) => waitingFor.get(loop) === 0);
  for (const loop of ready) {
    const below = (references.get(loop) ?? []).map((target) => depths.get(target) ?? 0);
    depths.set(loop, 1 + below.reduce((deepest, depth) => Math.max(deepest, depth), 0));
    for (const caller of callers.get(loop) ?? []) {
      const left = (waitingFor.get(caller) ?? 0) - 1;
      waitingFor.set(caller, left);
      if (left === 0) ready.push(caller);
    }
  }
  return depths;
}
