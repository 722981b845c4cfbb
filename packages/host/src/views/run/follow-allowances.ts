/**
 * Who allowed each effect of a run: the term of the grant, the rule that decided, and for what was
 * asked for the people who said yes. A fold of its events, which are what `verify` checks.
 */
import {
  type ClaimOf,
  type EventOf,
  isClaimOf,
  type LoopEvent,
  nameAction,
  type RuleReference,
} from "@turnseal/protocol";

export interface Allowance {
  readonly tool: string;
  readonly turn: number;
  /** The sequence number of the claim. */
  readonly claim: number;
  /** What of the grant allows it: the tool's own entry, and the terms over resources. */
  readonly terms: readonly string[];
  readonly rule: RuleReference | null;
  /** The request for its approval; null where nobody was asked. */
  readonly approval: number | null;
  readonly approvedBy: readonly Approver[];
}

export interface Approver {
  readonly by: string;
  readonly roles: readonly string[];
  readonly event: number;
  readonly at: string;
}

/** How many of the latest are kept. */
export const ALLOWANCES_MAX = 50;

export interface AllowanceFold {
  take(event: LoopEvent): void;
  /** The latest effects, in the order of the log. */
  list(): readonly Allowance[];
}

/** Follows a run from its first event. What only reads changes nothing, and is left out. */
export function followAllowances(): AllowanceFold {
  const allowances: Allowance[] = [];
  const approvers = new Map<number, Approver[]>();
  return {
    list: () => allowances,
    take: (event) => {
      if (event.type === "approval.requested") approvers.set(event.sequence, []);
      if (event.type === "approval.decided" && event.content.choice === "approve")
        approvers.get(event.content.approval)?.push(toApprover(event));
      const isEffect = isClaimOf("tool", event) || isClaimOf("handoff", event);
      if (isEffect && event.content.effect !== "read")
        allowances.push(toAllowance(event, approvers));
      if (allowances.length > ALLOWANCES_MAX) allowances.shift();
      // An approval is used in the turn that asked for it.
      if (event.type === "turn.closed") approvers.clear();
    },
  };
}

function toApprover({ actor, content, sequence }: EventOf<"approval.decided">): Approver {
  const { roles, receivedAt } = content;
  return { by: actor.id, roles, event: sequence, at: receivedAt };
}

function toAllowance(
  { content, sequence, turn }: ClaimOf<"tool" | "handoff">,
  approvers: ReadonlyMap<number, readonly Approver[]>,
): Allowance {
  const { rule = null, approval = null } = content;
  const name = nameAction(content);
  return {
    tool: content.action === "handoff" ? `handoff to ${name}` : name,
    turn,
    claim: sequence,
    terms: content.action === "tool" ? [content.term, ...(content.terms ?? [])] : [],
    rule,
    approval,
    approvedBy: approval === null ? [] : (approvers.get(approval) ?? []),
  };
}
