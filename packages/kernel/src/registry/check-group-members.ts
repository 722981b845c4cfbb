/**
 * A group holds what can be done again or asked about (spec/flow.md §8.2). The declarations of
 * tools are known only where their functions are bound.
 */
import type { Problem } from "@turnseal/protocol";
import type { CheckedLoop } from "../definition/check-loop.ts";
import { listNodes } from "../definition/flow/list-nodes.ts";
import type { FindDeclared } from "./check-reversible.ts";
import type { Resolve } from "./list-below.ts";

export function checkGroupMembers(
  { definition }: CheckedLoop,
  resolve: Resolve,
  find: FindDeclared,
): Problem[] {
  const { flow } = definition.composite ?? {};
  if (flow === undefined) return [];
  return listNodes(flow).flatMap(({ node, path }) => {
    if (node.kind !== "sequence" || node.group !== true) return [];
    return node.nodes.flatMap((member, index) => {
      if (member.kind !== "call") return [];
      const called = resolve(member.loopId, member.loopVersion)?.definition;
      if (called === undefined) return [];
      const why = findWhy(called, find);
      if (why === undefined) return [];
      return [
        {
          rule: "group-member",
          path: `${path}/nodes/${index}/loopId`,
          message: `${member.loopId} cannot be held in a group: ${why}`,
          mend: "call it before or behind the group, or declare what its function can promise",
        } as const,
      ];
    });
  });
}

function findWhy(
  { kind, tool, version }: CheckedLoop["definition"],
  find: FindDeclared,
): string | undefined {
  if (kind !== "tool" || tool === undefined) return `it is a ${kind}, and not a tool`;
  const declared = find(tool.implementation, version);
  if (declared === undefined) return undefined;
  const { effect, takesBack, artifacts } = declared;
  if (takesBack === true) return "it takes something back";
  if (artifacts !== undefined) return "it changes files, which a group cannot take back";
  if (effect === "idempotent" || effect === "reconcile") return undefined;
  return `its effect is ${effect}, and not idempotent or reconcile`;
}
