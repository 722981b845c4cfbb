/**
 * Follows plans (spec/receipt.md §6.6): nothing of one is begun before it was approved, also where
 * none was proposed, what was approved was let through by its claim, and each is decided and closed
 * once.
 */
import type { RawEvent } from "../log/raw-event.ts";
import { isPlanLoop, PLAN_TOOL } from "../tool-reference.ts";
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
  /** By the call for which they were proposed: how many there are, and how many are approved. */
  let counts = new Map<string, { all: number; approved: number }>();
  /** Calls whose claim of a plan is open, those that came through one, and those of its loop. */
  let claimed = new Set<string>();
  let passed = new Set<string>();
  let carriers = new Set<string | undefined>();

  const countOf = (call: string) => counts.get(call) ?? { all: 0, approved: 0 };
  const propose = ({ call = "", parentCall = "", sequence, hash }: RawEvent): boolean => {
    const { all, approved } = countOf(parentCall);
    counts.set(parentCall, { all: all + 1, approved });
    plans.set(sequence, { hash, call, parent: parentCall, state: "proposed" });
    return all === 0;
  };
  const decide = ({ call, content }: RawEvent): boolean => {
    const plan = plans.get(content["plan"]);
    if (plan === undefined || plan.state !== "proposed" || plan.hash !== content["hash"])
      return false;
    const isApproved = content["decision"] === "approved";
    plan.state = isApproved ? "approved" : "over";
    if (isApproved) countOf(plan.parent).approved += 1;
    return plan.call === call && isApproved === passed.has(plan.call);
  };
  const close = ({ call, content }: RawEvent): boolean => {
    const plan = plans.get(content["plan"]);
    if (plan === undefined || plan.state !== "approved" || plan.hash !== content["hash"])
      return false;
    plan.state = "over";
    countOf(plan.parent).approved -= 1;
    return plan.parent === call;
  };
  const begin = ({ call = "", content }: RawEvent): boolean => {
    const { all, approved } = countOf(call);
    const needsPlan = carriers.has(call) && content["loop"] !== PLAN_TOOL;
    return all === approved && (all > 0 || !needsPlan);
  };
  const isSound = (event: RawEvent): boolean => {
    const { type, call = "", content } = event;
    switch (type) {
      case "plan.proposed":
        return propose(event);
      case "plan.decided":
        return decide(event);
      case "plan.closed":
        return close(event);
      case "call.started":
        if (isPlanLoop(String(content["loop"]))) carriers.add(event.call);
        return true;
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
        [plans, claimed, passed, carriers] = [new Map(), new Set(), new Set(), new Set()];
        counts = new Map();
        return [];
      }
      if (isSound(event)) return [];
      const { sequence, turn } = event;
      const place = { sequence, ...(turn === undefined ? {} : { turn }) };
      return [finding("TURN_ORDER", "a plan is not carried out as it was decided", place)];
    },
  };
}
