/** Checks the members of an effect group, and where the group may stand (spec/flow.md §8.1). */
import type { FlowNode } from "@turnseal/protocol";
import { GROUP_MEMBERS_MAX } from "../../limits.ts";
import { listBody, listNodes } from "./list-nodes.ts";
import type { Sight } from "./sight.ts";

type SequenceNode = Extract<FlowNode, { readonly kind: "sequence" }>;

/** Fields that a member may not have: the group commits all its members or none. */
const notForMembers = [
  "when",
  "retry",
  "otherwise",
  "onError",
  "critical",
  "timeoutMs",
  "preview",
  "cache",
] as const;

export function checkGroup({ nodes }: SequenceNode, { path, walk: { report } }: Sight): void {
  if (nodes.length > GROUP_MEMBERS_MAX)
    report.refuse({
      rule: "flow-limit",
      path: `${path}/nodes`,
      message: `a group has at most ${GROUP_MEMBERS_MAX} members`,
      mend: "make several groups of them",
    });
  for (const [index, node] of nodes.entries()) {
    const at = `${path}/nodes/${index}`;
    if (node.kind !== "call") {
      const [message, mend] = ["a member of a group is a `call`", "move it before the group"];
      report.refuse({ rule: "flow-unfit", path: at, message, mend });
      continue;
    }
    for (const field of notForMembers)
      if (node[field] !== undefined)
        report.refuse({
          rule: "flow-unfit",
          path: `${at}/${field}`,
          message: "a member of a group cannot say this",
          mend: "say it of the group, or remove it",
        });
  }
}

/** A cancel can stop items of a fan-out, but not a group. */
export function refuseGroupsIn(fanOut: FlowNode, { path, walk: { report } }: Sight): void {
  const inside = listBody(fanOut, path).flatMap((child) => listNodes(child.node, child.path));
  for (const { node, path: at } of inside)
    if (node.kind === "sequence" && node.group === true)
      report.refuse({
        rule: "flow-unfit",
        path: `${at}/group`,
        message: "a group cannot stand in a fan-out",
        mend: "move it before or behind the fan-out",
      });
}
