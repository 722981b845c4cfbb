/**
 * Follows plans (spec/receipt.md §6.6). No step begins before the approval, even if no plan was
 * proposed. A plan counts as approved exactly if its claim let it through. Each plan is decided and
 * closed once.
 */
import type { RawEvent } from "../log/raw-event.ts";
import { isPlanLoop, PLAN_TOOL } from "../tool-reference.ts";
import { type Finding, finding } from "./finding.ts";

export interface PlanFollower {
  follow(event: RawEvent): Finding[];
}

interface FollowedPlan {
  readonly hash: string;
  /** The call that asks for it, and the one that executes it. */
  readonly call: string;
  readonly parent: string;
  state: "proposed" | "approved" | "over";
}

/** How many plans were proposed for a call, and how many of them are approved now. */
interface PlanCount {
  readonly all: number;
  readonly approved: number;
}

interface KeptPlans {
  /** By the sequence number of what proposes it. */
  get(sequence: unknown): FollowedPlan | undefined;
  /** Keeps a plan; true for the first of its call. */
  add(sequence: number, plan: FollowedPlan): boolean;
  move(plan: FollowedPlan, to: FollowedPlan["state"]): void;
  countOf(call: string): PlanCount;
}

/** Keeps plans with their counts, so that nothing looks through all of them. */
function keepPlans(): KeptPlans {
  const plans = new Map<unknown, FollowedPlan>();
  const counts = new Map<string, PlanCount>();
  const countOf = (call: string): PlanCount => counts.get(call) ?? { all: 0, approved: 0 };
  return {
    countOf,
    get: (sequence) => plans.get(sequence),
    add: (sequence, plan) => {
      const { all, approved } = countOf(plan.parent);
      plans.set(sequence, plan);
      counts.set(plan.parent, { all: all + 1, approved });
      return all === 0;
    },
    move: (plan, to) => {
      const { all, approved } = countOf(plan.parent);
      const change = Number(to === "approved") - Number(plan.state === "approved");
      counts.set(plan.parent, { all, approved: approved + change });
      plan.state = to;
    },
  };
}

export function followPlans(): PlanFollower {
  /** Of one turn. */
  let plans = keepPlans();
  /** Calls with an open claim of a plan, calls that came through one, and calls of its loop. */
  let claimed = new Set<string>();
  let passed = new Set<string>();
  let carriers = new Set<string | undefined>();

  const propose = ({ call = "", parentCall = "", sequence, hash }: RawEvent): boolean => {
    return plans.add(sequence, { hash, call, parent: parentCall, state: "proposed" });
  };
  const decide = ({ call, content }: RawEvent): boolean => {
    const plan = plans.get(content["plan"]);
    if (plan === undefined || plan.state !== "proposed" || plan.hash !== content["hash"])
      return false;
    const isApproved = content["decision"] === "approved";
    plans.move(plan, isApproved ? "approved" : "over");
    return plan.call === call && isApproved === passed.has(plan.call);
  };
  const close = ({ call, content }: RawEvent): boolean => {
    const plan = plans.get(content["plan"]);
    if (plan === undefined || plan.state !== "approved" || plan.hash !== content["hash"])
      return false;
    plans.move(plan, "over");
    return plan.parent === call;
  };
  const begin = ({ call = "", content }: RawEvent): boolean => {
    const { all, approved } = plans.countOf(call);
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
        [plans, claimed, passed, carriers] = [keepPlans(), new Set(), new Set(), new Set()];
        return [];
      }
      if (isSound(event)) return [];
      const { sequence, turn } = event;
      const place = { sequence, ...(turn === undefined ? {} : { turn }) };
      return [finding("TURN_ORDER", "a plan is not carried out as it was decided", place)];
    },
  };
}
