/**
 * What the rules say to an action: those that the run was started with, and the denials of those
 * that are in force today. Rules that have come since can take away, and never give.
 */
import {
  committed,
  DECIDE_WITHIN_MS_DEFAULT,
  type Decision,
  type JsonObject,
  type Spending,
  USE_WITHIN_MS_DEFAULT,
} from "@turnseal/protocol";
import type { Judge, Judgement } from "../journal/judgement.ts";
import { fail } from "../outcome.ts";
import { type CompiledPolicy, decide } from "../policy/decide.ts";

/** Without any rules the grant alone decides. */
export interface RulesInForce {
  readonly pinned?: CompiledPolicy;
  /** Only their denials count. */
  readonly current?: CompiledPolicy;
  /** Recorded beside the decision, and without effect. */
  readonly shadow?: CompiledPolicy;
}

interface Place {
  readonly run: string;
  readonly turn: number;
  readonly rules: RulesInForce | undefined;
  readonly spending: () => Spending;
}

export function judgeActions({ run, turn, rules = {}, spending }: Place): Judge {
  const { pinned, current, shadow } = rules;
  return ({ name, judged }) => {
    if (judged === undefined) return { kind: "allowed", facts: {} };
    const { loop: _, approvals, ...seen } = judged;
    const facts = { ...seen, spend: committed(spending()), run: { id: run, turn } };
    const now = current === undefined ? allowed : decide(current, facts);
    const then = pinned === undefined ? allowed : decide(pinned, facts);
    const decision = now.kind === "deny" ? now : then;
    const wouldBe = shadow === undefined ? undefined : decide(shadow, facts);
    const recorded = {
      ...describe(decision),
      ...(wouldBe === undefined ? {} : { shadow: { kind: wouldBe.kind, ...describe(wouldBe) } }),
    };
    return addApprovals(name, decision, { approvals, facts: recorded });
  };
}

const allowed: Decision = { kind: "allow" };

interface Wanted {
  /** The roles whose approval the terms of the grant want. */
  readonly approvals: readonly string[];
  readonly facts: JsonObject;
}

/** What the grant wants approved is asked for, also where the rules allow it. */
function addApprovals(name: string, decision: Decision, { approvals, facts }: Wanted): Judgement {
  if (decision.kind === "deny") return denied(name, decision);
  const [role] = approvals;
  if (role === undefined) {
    return decision.kind === "ask"
      ? { kind: "asked", ask: decision, facts }
      : { kind: "allowed", facts };
  }
  const asked = decision.kind === "ask" ? decision : undefined;
  const roles = new Set([...approvals, ...(asked?.role === undefined ? [] : [asked.role])]);
  // One request is decided by one role; more than one could never be satisfied by it.
  if (roles.size > 1) return denied(name, decision);
  const terms = {
    approvers: asked?.approvers ?? 1,
    decideWithinMs: asked?.decideWithinMs ?? DECIDE_WITHIN_MS_DEFAULT,
    useWithinMs: asked?.useWithinMs ?? USE_WITHIN_MS_DEFAULT,
    onReject: asked?.onReject ?? ("stop" as const),
  };
  return { kind: "asked", ask: { ...terms, role }, facts };
}

function denied(name: string, { rule }: Decision): Judgement {
  const by = rule === undefined ? "no rule allows it" : `rule ${rule.id}`;
  const details = { denial: "policy-denied", ...(rule === undefined ? {} : { rule }) };
  return { kind: "denied", refusal: fail("POLICY_DENIED", `${name} is denied: ${by}`, details) };
}

/** Which policy decided, and which rule of it. */
function describe({ policy, rule }: Decision): JsonObject {
  return {
    ...(policy === undefined ? {} : { policy }),
    ...(rule === undefined ? {} : { rule: { ...rule } }),
  };
}
