/**
 * Checks a flow and compiles it (spec/flow.md). Its shape was checked before.
 *
 * 1. A node may read the nodes before it in its sequences, and the bindings of the nodes around it.
 *    A name is unique along one line of sight.
 * 2. All that repeats has a maximum, and no maximum is above a named one.
 * 3. Every problem is reported, not only the first.
 */
import type { FlowSpec } from "@turnseal/protocol";
import { EXPRESSIONS_MAX } from "../../limits.ts";
import type { CheckedMapping } from "../checked-mapping.ts";
import type { Report } from "../report.ts";
import { checkNode } from "./check-node.ts";
import { checkNodeMapping } from "./check-sources.ts";
import type { CheckedNode } from "./checked-node.ts";
import { countFlowExpressions } from "./count-expressions.ts";
import { FLOW_PATH } from "./list-nodes.ts";
import { type Sight, seeAfter } from "./sight.ts";

export interface CheckedFlow {
  readonly flow: CheckedNode | undefined;
  readonly outputMapping: CheckedMapping | undefined;
  readonly readsRecord: boolean;
}

/**
 * Checks the body of a composite that is a flow. Its output mapping comes after the flow: it can
 * read the flow's result, and the nodes of its sequence.
 */
export function checkFlow({ flow, outputMapping }: FlowSpec, report: Report): CheckedFlow {
  if (countFlowExpressions(flow, outputMapping) > EXPRESSIONS_MAX) {
    report.refuse({
      rule: "mapping-expression",
      path: "/composite",
      message: `more than ${EXPRESSIONS_MAX} expressions`,
      mend: "move nodes into a composite of their own",
    });
    return { flow: undefined, outputMapping: undefined, readsRecord: false };
  }
  const walk = { report, readsRecord: false };
  const names = new Map([["input", undefined]]);
  const sight: Sight = { path: FLOW_PATH, names, reads: new Set(), walk };
  const checked = checkNode(flow, sight);
  const nodes = flow.kind === "sequence" ? [...flow.nodes, flow] : [flow];
  const ended = nodes.reduce((known, node) => seeAfter(node, known), sight);
  const mapped =
    outputMapping === undefined
      ? undefined
      : checkNodeMapping(outputMapping, { ...ended, path: "/composite/outputMapping" });
  return { flow: checked, outputMapping: mapped, readsRecord: walk.readsRecord };
}
