/**
 * Refuses parallel parts of a flow that use the same notes (spec/context.md §10.4). Their order is
 * not recorded, and one would see notes of another.
 */
import { type FlowNode, NOTE_TOOL, type Problem } from "@turnseal/protocol";
import type { CheckedLoop } from "../definition/check-loop.ts";
import {
  listBody,
  listNodes,
  type PlacedNode,
  referenceOf,
} from "../definition/flow/list-nodes.ts";
import type { Resolve } from "./list-below.ts";
import { listReferences } from "./list-references.ts";

/** Finds problems with the notes of a flow. */
export function checkFlowNotes(flow: FlowNode, resolve: Resolve): Problem[] {
  return listNodes(flow).flatMap((placed) => {
    const { node, path } = placed;
    if (node.kind === "parallel") return checkBranches(placed, resolve);
    // Items that share their places run in order.
    if (node.kind !== "forEach" || node.scope === "shared") return [];
    const body = { node: node.body, path: `${path}/body` };
    const reached = findNoting(body, resolve);
    if (reached === undefined) return [];
    const message = `items run beside each other, and ${reached} has the notes around them`;
    const mend = "give the prompt `scope: isolated`, or the items `scope: shared`";
    return [{ rule: "notes-shared", path: body.path, message, mend } as const];
  });
}

function checkBranches({ node, path }: PlacedNode, resolve: Resolve): Problem[] {
  const noting = listBody(node, path).flatMap((branch) => {
    const reached = findNoting(branch, resolve);
    return reached === undefined ? [] : [{ path: branch.path, reached }];
  });
  const [first, ...others] = noting;
  return others.map(({ path: at, reached }) => ({
    rule: "notes-shared",
    path: at,
    message: `${reached} has the notes around it, as ${first?.path} has, which runs beside it`,
    mend: "give the prompts `scope: isolated`, or run them one after the other",
  }));
}

/** The loop of a node that has to do with the notes around it. */
function findNoting({ node, path }: PlacedNode, resolve: Resolve): string | undefined {
  const references = listNodes(node, path).flatMap((placed) => referenceOf(placed) ?? []);
  const targets = references.flatMap(({ loopId, loopVersion }) => {
    return resolve(loopId, loopVersion) ?? [];
  });
  return targets.find((target) => hasCallersNotes(target, resolve))?.definition.id;
}

/** True when a call writes or looks at the notes of its caller. */
function hasCallersNotes(root: CheckedLoop, resolve: Resolve): boolean {
  const found = new Set([root]);
  for (const loop of found) {
    const { tool, prompt } = loop.definition;
    if (tool?.implementation === NOTE_TOOL) return true;
    // Calls below an isolated prompt use that prompt's notes.
    if (prompt !== undefined && (prompt.scope ?? "isolated") === "isolated") continue;
    if (prompt !== undefined) return true;
    for (const { loopId, loopVersion } of listReferences(loop)) {
      const target = resolve(loopId, loopVersion);
      if (target !== undefined) found.add(target);
    }
  }
  return false;
}
