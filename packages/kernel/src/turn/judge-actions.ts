/**
 * Judges an action by the rules that the run was started with, and by the denials of today's rules.
 * Later rules can deny, but never allow.
 */
import {
  type Amounts,
  APPROVERS_DEFAULT,
  type AskDecision,
  addAmounts,
  committed,
  DECIDE_WITHIN_MS_DEFAULT,
  type Decision,
  ON_REJECT_DEFAULT,
  type PassedFacts,
  type Rejection,
  type Spending,
  USE_WITHIN_MS_DEFAULT,
} from "@turnseal/protocol";
import type { GateAnswer } from "@turnseal/protocol/authoring";
import { readGate } from "../gate/read-gate.ts";
import { fail } from "../outcome.ts";
import { type CompiledPolicy, decide } from "../policy/decide.ts";
import type { AskTerms, Judge, Judgement } from "../step/judgement.ts";
import { joinUnitsRead, type UnitsRead } from "../values/units-read.ts";

/** Without any rules the grant alone decides. */
export interface RulesInForce {
  readonly pinned?: CompiledPolicy;
  /** Only their denials count. */
  readonly current?: CompiledPolicy;
  /** Recorded beside the decision, and without effect. */
  readonly shadow?: CompiledPolicy;
  /** The effect of a rejection, unless the rule or the tool names one; `stop` if absent. */
  readonly onReject?: Rejection;
}

interface Place {
  readonly run: string;
  readonly turn: number;
  readonly rules: RulesInForce | undefined;
  /** The sum that the runs above had committed before the handoff. */
  readonly before?: Amounts | undefined;
  readonly spending: () => Spending;
}

export function judgeActions({ run, turn, rules = {}, before = {}, spending }: Place): Judge {
  const { pinned, current, shadow, onReject: ofRun = ON_REJECT_DEFAULT } = rules;
  const termsOfRun = { ...termsDefault, onReject: ofRun };
  return ({ name, judged, judgeAll }, own) => {
    if (judgeAll !== undefined) return judgeAll();
    if (judged === undefined) return { kind: "allowed", facts: {} };
    const { loop: _, approvals, gate, onReject = "tell", ...seen } = judged;
    const spend = addAmounts(before, committed(spending(), own));
    const facts = { ...seen, spend, run: { id: run, turn } };
    const now = current === undefined ? allowed : decide(current, facts);
    const then = pinned === undefined ? allowed : decide(pinned, facts, ofRun);
    const decision = now.kind === "deny" ? now : then;
    const wouldBe = shadow === undefined ? undefined : decide(shadow, facts);
    const recorded = {
      ...describe(decision),
      ...(wouldBe === undefined ? {} : { shadow: { kind: wouldBe.kind, ...describe(wouldBe) } }),
    };
    if (decision.kind === "deny") return denied(name, decision);
    const said = readGate(gate);
    if (said?.kind === "blocked") return blocked(name);
    const named = said === undefined ? recorded : { ...recorded, gate: said.why };
    return addApprovals(name, decision, {
      ...{ approvals, own: said, facts: named },
      terms: termsOfRun,
      termsOfTool: { ...termsOfRun, onReject },
    });
  };
}

/** The units of `spend` that the rules read. */
export function listUnitsRead({ pinned, current }: RulesInForce = {}): UnitsRead {
  const read = [pinned, current].flatMap((rules) =>
    rules?.kind === "compiled" ? [rules.unitsRead] : [],
  );
  return joinUnitsRead(read);
}

const allowed: Decision = { kind: "allow" };

interface Wanted {
  /** The roles whose approval the terms of the grant want. */
  readonly approvals: readonly string[];
  /** The tool's own decision. */
  readonly own: GateAnswer | undefined;
  /** The terms of a request without a rule: for the grant, and for the tool alone. */
  readonly terms: AskTerms;
  readonly termsOfTool: AskTerms;
  readonly facts: PassedFacts;
}

/**
 * Adds the approvals that the grant or the tool requires, even where the rules allow the action.
 */
function addApprovals(
  name: string,
  decision: Exclude<Decision, { kind: "deny" }>,
  { approvals, own, terms, termsOfTool, facts }: Wanted,
): Judgement {
  const [role] = approvals;
  const asked = decision.kind === "ask" ? decision : undefined;
  const description = own?.kind === "ask" ? own.description : undefined;
  // A rule that allows it does not ask for it.
  const { rule: _, ...unruled } = facts;
  const said = {
    kind: "asked",
    facts: asked === undefined ? unruled : facts,
    ...(description === undefined ? {} : { description }),
  } as const;
  if (role === undefined) {
    // A plan did not show the tool's own description, so the plan's approval does not cover it.
    if (asked !== undefined)
      return { ...said, ask: description === undefined ? asked : pickTerms(asked) };
    if (description !== undefined) return { ...said, ask: termsOfTool };
    return { kind: "allowed", facts };
  }
  const roles = new Set([...approvals, ...(asked?.role === undefined ? [] : [asked.role])]);
  // One request is decided by one role; more than one could never be satisfied by it.
  if (roles.size > 1) return denied(name, decision);
  return { ...said, ask: { ...(asked === undefined ? terms : pickTerms(asked)), role } };
}

const termsDefault = {
  approvers: APPROVERS_DEFAULT,
  decideWithinMs: DECIDE_WITHIN_MS_DEFAULT,
  useWithinMs: USE_WITHIN_MS_DEFAULT,
};

/** Drops the plan setting: only the rules can set it, and only for what they alone ask. */
function pickTerms(asked: AskDecision): AskTerms {
  const { role, approvers, exclude, decideWithinMs, useWithinMs, onReject } = asked;
  return {
    ...(role === undefined ? {} : { role }),
    approvers,
    ...(exclude === undefined ? {} : { exclude }),
    ...{ decideWithinMs, useWithinMs, onReject },
  };
}

function blocked(name: string): Judgement {
  const details = { denial: "tool-blocked" };
  return { kind: "denied", refusal: fail("POLICY_DENIED", `${name} is blocked`, details) };
}

function denied(name: string, { rule }: Decision): Judgement {
  const by = rule === undefined ? "no rule allows it" : `rule ${rule.id}`;
  const details = { denial: "policy-denied", ...(rule === undefined ? {} : { rule }) };
  return { kind: "denied", refusal: fail("POLICY_DENIED", `${name} is denied: ${by}`, details) };
}

/** Which policy decided, and which rule of it. */
function describe({ policy, rule }: Decision): Pick<PassedFacts, "policy" | "rule"> {
  return {
    ...(policy === undefined ? {} : { policy }),
    ...(rule === undefined ? {} : { rule: { ...rule } }),
  };
}
