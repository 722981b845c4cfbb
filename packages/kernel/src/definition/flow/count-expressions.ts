import type { FlowNode, Mapping, MappingSource } from "@turnseal/protocol";
import { listNodes } from "./list-nodes.ts";

/**
 * Expressions of a flow and of the mapping of its output. Counted before the first is compiled: a
 * document has room for far more than can be read at once.
 */
export function countFlowExpressions(flow: FlowNode, outputMapping: Mapping = {}): number {
  return listNodes(flow).reduce((sum, { node }) => sum + countOwn(node), countIn(outputMapping));
}

function countOwn(node: FlowNode): number {
  const shared = countGiven([node.when]) + (typeof node.summary === "object" ? 1 : 0);
  switch (node.kind) {
    case "call":
      return shared + countIn(node.inputMapping) + countIn(node.grantMapping);
    case "sequence":
      return shared + countIn(node.outputMapping);
    case "parallel":
      return shared;
    case "branch":
      return shared + node.cases.length;
    case "repeat":
      return shared + countGiven([node.until, node.while]);
    case "forEach":
      return shared + countSources([node.items]);
    case "machine":
      return Object.values(node.states).reduce(
        (sum, { transitions = [] }) => sum + countGiven(transitions.map(({ when }) => when)),
        shared,
      );
    case "wait":
      if ("until" in node.for) return shared + countSources([node.for.until]);
      return shared + ("question" in node.for ? countIn(node.for.question.inputMapping) : 0);
  }
}

function countIn(mapping: Mapping = {}): number {
  return countSources(Object.values(mapping));
}

function countSources(sources: readonly MappingSource[]): number {
  return sources.filter((source) => typeof source !== "string" && "cel" in source).length;
}

function countGiven(texts: readonly (string | undefined)[]): number {
  return texts.filter((text) => text !== undefined).length;
}
