/** Lists the nodes inside a node in the order of the text, each with its path in the document. */
import { type FlowNode, formatPointer, type LoopReference } from "@turnseal/protocol";

/** The place of a composite's flow in its document. */
export const FLOW_PATH = "/composite/flow";

export interface PlacedNode {
  readonly node: FlowNode;
  /** A JSON Pointer into the document. */
  readonly path: string;
}

/** A node and all that stands in it, in the order of the document. */
export function listNodes(node: FlowNode, path = FLOW_PATH): PlacedNode[] {
  return [
    { node, path },
    ...listInside(node, path).flatMap((child) => listNodes(child.node, child.path)),
  ];
}

function listInside(node: FlowNode, path: string): PlacedNode[] {
  const body = listBody(node, path);
  if (node.otherwise === undefined) return body;
  return [...body, { node: node.otherwise, path: `${path}/otherwise` }];
}

/** Lists the nodes directly inside a node, without its `otherwise`. */
export function listBody(node: FlowNode, path: string): PlacedNode[] {
  switch (node.kind) {
    case "call":
    case "wait":
      return [];
    case "sequence":
      return node.nodes.map((child, index) => ({ node: child, path: `${path}/nodes/${index}` }));
    case "parallel":
      return node.branches.map((child, index) => ({
        node: child,
        path: `${path}/branches/${index}`,
      }));
    case "branch":
      return [
        ...node.cases.map((one, index) => ({ node: one.do, path: `${path}/cases/${index}/do` })),
        ...(node.else === undefined ? [] : [{ node: node.else, path: `${path}/else` }]),
      ];
    case "repeat":
    case "forEach":
      return [{ node: node.body, path: `${path}/body` }];
    case "machine":
      return Object.entries(node.states).flatMap(([name, state]) =>
        (["onEntry", "body", "onExit"] as const).flatMap((part) => {
          const child = state[part];
          if (child === undefined) return [];
          return [{ node: child, path: `${path}/states${formatPointer([name])}/${part}` }];
        }),
      );
  }
}

/** A loop that a node calls, and where it is named. */
export interface NodeReference extends LoopReference {
  /** Of the object that names it. */
  readonly path: string;
  /** True for the question that a wait asks. */
  readonly isQuestion: boolean;
}

/** The loop that a node itself calls, or the question that it asks. */
export function referenceOf({ node, path }: PlacedNode): NodeReference | undefined {
  if (node.kind === "call") return { ...nameOf(node), path, isQuestion: false };
  if (node.kind !== "wait" || !("question" in node.for)) return undefined;
  return { ...nameOf(node.for.question), path: `${path}/for/question`, isQuestion: true };
}

/** The loops that a flow calls, in the order of the document. */
export function listNodeReferences(flow: FlowNode): NodeReference[] {
  return listNodes(flow).flatMap((placed) => referenceOf(placed) ?? []);
}

function nameOf({ loopId, loopVersion }: LoopReference): LoopReference {
  return loopVersion === undefined ? { loopId } : { loopId, loopVersion };
}
