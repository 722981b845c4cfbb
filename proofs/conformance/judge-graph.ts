/** Judges graphs as data (spec/conformance.md, "Judging"). */
import type { GraphJudged } from "@turnseal/conformance/program";
import {
  applyChange,
  createGraph,
  findNode,
  type Graph,
  type GraphChange,
  listEdges,
  type Question,
  queryNodes,
  readStateHash,
  traverse,
  type Way,
} from "@turnseal/folds/graph";
import type { JsonObject } from "@turnseal/protocol";
import {
  checkInvariants,
  INVARIANTS,
  type Invariant,
  type ObjectType,
  parseObject,
} from "@turnseal/protocol/graph";
import { arrangeMove } from "./arrange-move.ts";
import type { Judge } from "./judge-session.ts";

export const graphJudges: Readonly<Record<GraphJudged, Judge>> = {
  "graph-object": ({ type, object }) => parseObject(type as ObjectType, object),
  "graph-transition": judgeTransition,
  "graph-rule": ({ invariants, document = null }) =>
    checkInvariants(invariants as unknown as readonly Invariant[], document),
  "graph-invariants": ({ set, document = null }) =>
    checkInvariants(INVARIANTS[set as keyof typeof INVARIANTS], document),
  "graph-changes": judgeChanges,
};

/** A graph in which nothing but the table of the type can refuse the transition. */
function judgeTransition({ type, from, to }: JsonObject): object {
  const { before, tried } = arrangeMove(String(type), String(from), String(to));
  const graph = createGraph();
  for (const change of before) {
    const arranged = applyChange(graph, change);
    if (arranged.kind === "refused")
      throw new Error(`${type} ${from}: ${arranged.rule} refused ${change.kind}`);
  }
  const hash = readStateHash(graph);
  const answer = applyChange(graph, tried);
  return { ...answer, unchanged: readStateHash(graph) === hash };
}

function judgeChanges({ changes, reads = [] }: JsonObject): object {
  const graph = createGraph();
  const answers = (changes as unknown as readonly GraphChange[]).map((change) => {
    const hash = readStateHash(graph);
    const answer = applyChange(graph, change);
    return answer.kind === "refused"
      ? { ...answer, unchanged: readStateHash(graph) === hash }
      : answer;
  });
  return {
    answers,
    hash: readStateHash(graph),
    read: (reads as readonly JsonObject[]).map((read) => readFrom(graph, read)),
  };
}

function readFrom(
  graph: Graph,
  { get, edges, traverse: start, query, ...how }: JsonObject,
): object {
  if (get !== undefined) return { node: findNode(graph, String(get)) ?? null };
  if (query !== undefined) return idsOf(queryNodes(graph, query as unknown as Question));
  const way = how as unknown as Way;
  if (start !== undefined) return idsOf(traverse(graph, String(start), way));
  const { items, isCut } = listEdges(graph, String(edges), way);
  return { edges: items.map(({ kind, from, to }) => [kind, from, to]), isCut };
}

function idsOf({ items, isCut }: ReturnType<typeof traverse>): object {
  return { ids: items.map(({ id }) => id), isCut };
}
