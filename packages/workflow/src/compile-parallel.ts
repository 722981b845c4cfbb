/** A state that does what several others do, at once. */
import { type FlowNode, findNearest, type Join } from "@turnseal/protocol";
import type { Place } from "./compile-call.ts";
import { compileWork } from "./compile-steps.ts";
import { addProblem, placed, type Sight } from "./compiling.ts";
import { toName } from "./variables.ts";
import { toBody, type Work } from "./work.ts";
import type { StateTable } from "./workflow-document.ts";

interface ParallelRequest {
  readonly state: StateTable;
  readonly states: readonly StateTable[];
  readonly sight: Sight;
}

/** How many have to succeed, where `join` is no state. */
const JOINS: ReadonlyMap<string, Join> = new Map([
  ["all", "all"],
  ["any", "any"],
]);

export function compileParallel(request: ParallelRequest, place: Place): Work | undefined {
  const { state, states, sight } = request;
  const { parallel = [], concurrency, on_error } = state;
  const join = findJoin(state, states, place);
  if (join === undefined) return undefined;
  const branches: FlowNode[] = [];
  for (const [index, name] of parallel.entries()) {
    const at = { ...place, path: `${place.path}/parallel/${index}` };
    const found = states.findIndex((one) => one.name === name);
    const part = states[found];
    if (part === undefined || part === state) refusePart(name, states, at);
    else {
      const own = { ...place, path: place.path.replace(/\d+$/, String(found)) };
      const work = compileWork(part, { name: toName(name), sight }, own);
      if (work === undefined) continue;
      branches.push(toBody(work));
    }
  }
  if (branches.length < parallel.length) return undefined;
  const node: FlowNode = {
    ...{ kind: "parallel", branches, join },
    ...(concurrency === undefined ? {} : { concurrency }),
    ...(on_error === "skip" ? { onItemError: "continue" } : {}),
  };
  return {
    before: [],
    node: placed(place.compiling, place.path, node),
    schema: join === "any" ? true : { type: "array" },
  };
}

function findJoin(
  { join }: StateTable,
  states: readonly StateTable[],
  { compiling, path }: Place,
): Join | undefined {
  if (join === undefined)
    return addProblem(compiling, {
      rule: "field-missing",
      path,
      message: "`join` is missing: parallel states come together somewhere",
      mend: "add join with the state that follows",
    });
  if (states.some(({ name }) => name === join)) return "all";
  const rule = JOINS.get(join);
  if (rule !== undefined) return rule;
  const nearest = findNearest(join, [...states.map(({ name }) => name), ...JOINS.keys()]);
  return addProblem(compiling, {
    rule: "reference-unknown",
    path: `${path}/join`,
    message: `there is no state \`${join}\``,
    mend: `write ${nearest ?? "the name of a state, all or any"}`,
  });
}

function refusePart(name: string, states: readonly StateTable[], { compiling, path }: Place) {
  const nearest = findNearest(
    name,
    states.map((state) => state.name),
  );
  return addProblem(compiling, {
    rule: "reference-unknown",
    path,
    message: `\`${name}\` is not another state`,
    mend: nearest === undefined ? "name states of this file" : `write ${nearest}`,
  });
}
