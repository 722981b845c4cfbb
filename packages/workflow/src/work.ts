/** The compiled form of a step or a state. */
import type { FlowNode, JsonSchema } from "@turnseal/protocol";

/** Nodes that stand before it, the node itself, and its output. */
export interface Work {
  readonly before: readonly FlowNode[];
  readonly node: FlowNode;
  readonly schema: JsonSchema;
}

/** One node of all of it. */
export function toBody({ before, node }: Work): FlowNode {
  return before.length === 0 ? node : { kind: "sequence", nodes: [...before, node] };
}
