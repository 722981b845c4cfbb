/** How many items a fan-out may have, how many have to succeed and how many may fail. */
import type { FlowNode } from "@turnseal/protocol";
import { CONCURRENCY_DEFAULT, FAN_OUT_MAX, SPREAD_MAX } from "../../limits.ts";
import type { Report } from "../report.ts";
import { refuseGroupsIn } from "./check-group.ts";
import { checkLimit } from "./check-limit.ts";
import type { CheckedNodeOf } from "./checked-node.ts";
import type { Sight } from "./sight.ts";

type FanOutNode = Extract<FlowNode, { readonly kind: "parallel" | "forEach" }>;
type CheckedFanOut = Pick<
  CheckedNodeOf<"parallel">,
  "join" | "onItemError" | "tolerate" | "concurrency"
>;

export function checkFanOut(node: FanOutNode, sight: Sight): CheckedFanOut {
  const { path, walk } = sight;
  const { report } = walk;
  const { join = "all", tolerate, concurrency = CONCURRENCY_DEFAULT } = node;
  if (node.kind === "forEach") {
    const isSpread = node.spread === "runs";
    const mend = `write at most ${FAN_OUT_MAX}, or \`spread: runs\`: each item is a run then`;
    const place = { path: `${path}/max`, report };
    if (isSpread) checkSpread(node, { path, report });
    if (isSpread) checkLimit(node.max, { ...place, most: SPREAD_MAX });
    else checkLimit(node.max, { ...place, most: FAN_OUT_MAX }, mend);
  }
  refuseGroupsIn(node, sight);
  checkLimit(concurrency, { most: FAN_OUT_MAX, path: `${path}/concurrency`, report });
  const width = node.kind === "parallel" ? node.branches.length : node.max;
  const unfit = (field: string, message: string, mend: string): void =>
    report.refuse({ rule: "flow-unfit", path: `${path}/${field}`, message, mend });
  if (typeof join === "object" && join.quorum > width)
    unfit("join", `of ${width} never ${join.quorum} succeed`, `write at most ${width}`);
  if (tolerate !== undefined && join !== "all")
    unfit("tolerate", "`tolerate` is for what all have to do", "remove it, or write `join: all`");
  if (tolerate !== undefined && "count" in tolerate && tolerate.count > width)
    unfit("tolerate", `of ${width} never ${tolerate.count} fail`, `write at most ${width}`);
  const onItemError = node.onItemError ?? (join === "all" ? "halt" : "continue");
  return { join, onItemError, tolerate, concurrency };
}

type SpreadNode = Extract<FlowNode, { readonly kind: "forEach" }>;

/** Fields that a node for runs of its own may not have: the loop of the run says these. */
const notForRuns = [
  "when",
  "retry",
  "otherwise",
  "onError",
  "critical",
  "timeoutMs",
  "preview",
  "cache",
] as const;

/** An item that is a run is one call, with no other fields than the call. */
function checkSpread(
  { body, scope }: SpreadNode,
  { path, report }: { readonly path: string; readonly report: Report },
): void {
  const refuse = (at: string, message: string, mend: string): void =>
    report.refuse({ rule: "flow-unfit", path: `${path}/${at}`, message, mend });
  if (scope === "shared") refuse("scope", "runs share nothing", "remove it");
  if (body.kind !== "call") {
    const mend = "put it into a composite, and call that";
    refuse("body", "an item that is a run is a `call`", mend);
    return;
  }
  for (const field of notForRuns)
    if (body[field] !== undefined)
      refuse(`body/${field}`, "an item that is a run cannot say this", "say it in its loop");
}
