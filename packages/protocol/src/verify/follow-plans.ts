/**
 * Follows plans (spec/receipt.md §6.6): nothing of one is begun before it was approved, what was
 * approved was let through by its claim, and each is decided and closed once.
 */
import type { RawEvent } from "../log/raw-event.ts";
import { PLAN_TOOL } from "../tool-reference.ts";
import { type Finding, finding } from "./finding.ts";

export interface PlanFollower {
  follow(event: RawEvent): Finding[];
}

interface FollowedPlan {
  readonly hash: string;
  /** The call that asks for it, and the one that carries it out. */
  readonly call: string;
  readonly parent: string;
  state: "proposed" | "approved" | "over";
}

export function followPlans(): PlanFollower {
  /** By the sequence number of what proposes them; of one turn. */
  let plans = new Map<unknown, FollowedPlan>();
  /** Calls whose claim of a plan is open, and those that came through one. */
  let claimed = new Set<string>();
  let passed = new Set<string>();

  const propose = ({ call = "", parentCall = "", sequence, hash }: RawEvent): boolean => {
    const isFirst = [...plans.values()].every((plan) => plan.parent !== parentCall);
    plans.set(sequence, { hash, call, parent: parentCall, state: "proposed" });
    return isFirst;
  };
  const decide = ({ call, content }: RawEvent): boolean => {
    const plan = plans.get(content["plan"]);
    if (plan === undefined || plan.state !== "proposed" || plan.hash !== content["hash"])
      return false;
    const isApproved = content["decision"] === "approved";
    plan.state = isApproved ? "approved" : "over";
    return plan.call === call && isApproved === passed.has(plan.call);
  };
  const close = ({ call, content }: RawEvent): boolean => {
    const plan = plans.get(content["plan"]);
    if (plan === undefined || plan.state !== "approved" || plan.hash !== content["hash"])
      return false;
    plan.state = "over";
    return plan.parent === call;
  };
  const begin = ({ call }: RawEvent): boolean =>
    [...plans.values()].every(({ parent, state }) => parent !== call || state === "approved");
  const isSound = (event: RawEvent): boolean => {
    const { type, call = "", content } = event;
    switch (type) {
      case "plan.proposed":
        return propose(event);
      case "plan.decided":
        return decide(event);
      case "plan.closed":
        return close(event);
      case "child.started":
        return begin(event);
      case "action.claimed":
        if (content["tool"] === PLAN_TOOL) claimed.add(call);
        return true;
      case "action.settled":
        if (claimed.has(call) && content["status"] === "ok") passed.add(call);
        return true;
      default:
        return true;
    }
  };
  return {
    follow: (event) => {
      if (event.type === "turn.started") {
        [plans, claimed, passed] = [new Map(), new Set(), new Set()];
        return [];
      }
      if (isSound(event)) return [];
      const { sequence, turn } = event;
      const place = { sequence, ...(turn === undefined ? {} : { turn }) };
      return [finding("TURN_ORDER", "a plan is not carried out as it was decided", place)];
    },
  };
}
