/**
 * Lists for each effect of a run its permission: the term of the grant, the deciding rule, and the
 * people who approved. It is a fold of the run's events, which `verify` checks.
 */
import {
  type ClaimOf,
  type EventOf,
  isClaimOf,
  isVendorEvent,
  type LoopEvent,
  nameAction,
  type RuleReference,
  unreachable,
} from "@turnseal/protocol";

export interface Allowance {
  readonly tool: string;
  readonly turn: number;
  /** The sequence number of the claim. */
  readonly claim: number;
  /** The allowing parts of the grant: the tool's own entry, and the terms over resources. */
  readonly terms: readonly string[];
  readonly rule: RuleReference | null;
  /** The request for its approval; null without one. */
  readonly approval: number | null;
  readonly approvedBy: readonly Approver[];
  /** Where they approved a plan: its proposal, and which of its steps this is, from one. */
  readonly planned: { readonly plan: number; readonly step: number } | null;
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

/** Follows a run from its first event. Reads change nothing, and are left out. */
export function followAllowances(): AllowanceFold {
  const allowances: Allowance[] = [];
  const approvers = new Map<number, Approver[]>();
  /** The approvals of groups, by the keys of their members. */
  const groups = new Map<string, number>();
  return {
    list: () => allowances,
    take: (event) => {
      switch (event.type) {
        case "approval.requested":
          approvers.set(event.sequence, []);
          return;
        case "approval.decided":
          if (event.content.choice === "approve")
            approvers.get(event.content.approval)?.push(toApprover(event));
          return;
        case "action.claimed":
          noteGroup(groups, event);
          if (isEffect(event)) allowances.push(toAllowance(event, approvers, groups));
          if (allowances.length > ALLOWANCES_MAX) allowances.shift();
          return;
        case "turn.closed":
          // An approval is used in the turn that asked for it.
          approvers.clear();
          groups.clear();
          return;
        case "run.started":
        case "run.decided":
        case "run.blocked":
        case "run.stopped":
        case "run.resolved":
        case "signal.received":
        case "turn.started":
        case "turn.denied":
        case "turn.resumed":
        case "turn.waiting":
        case "call.started":
        case "call.input.validated":
        case "call.output.validated":
        case "call.completed":
        case "call.errored":
        case "child.started":
        case "child.completed":
        case "fanout.fixed":
        case "item.closed":
        case "step.retried":
        case "step.skipped":
        case "group.closed":
        case "action.settled":
        case "action.unknown":
        case "action.resolved":
        case "cache.hit":
        case "approval.expired":
        case "question.asked":
        case "question.answered":
        case "plan.proposed":
        case "plan.decided":
        case "plan.closed":
        case "note.added":
        case "note.expired":
        case "drift.reconciled":
        case "artifact.adopted":
        case "log":
          return;
        default:
          if (!isVendorEvent(event)) unreachable(event);
      }
    },
  };
}

/** True for effects: not for model requests, and not for held claims. */
function isEffect(event: EventOf<"action.claimed">): event is ClaimOf<"tool" | "handoff"> {
  const { action, effect } = event.content;
  return action !== "model" && effect !== "read" && !("held" in event.content);
}

/** The approval of a group covers its members. */
function noteGroup(groups: Map<string, number>, event: EventOf<"action.claimed">): void {
  if (!isClaimOf("tool", event)) return;
  const { group, approval } = event.content;
  if (group === undefined || approval === undefined) return;
  for (const { key } of group.members) groups.set(key, approval);
}

function toApprover({ actor, content, sequence }: EventOf<"approval.decided">): Approver {
  const { roles, receivedAt } = content;
  return { by: actor.id, roles, event: sequence, at: receivedAt };
}

function toAllowance(
  { content, sequence, turn }: ClaimOf<"tool" | "handoff">,
  approvers: ReadonlyMap<number, readonly Approver[]>,
  groups: ReadonlyMap<string, number>,
): Allowance {
  const { rule = null, approval = groups.get(content.key) ?? null, planned } = content;
  const name = nameAction(content);
  return {
    tool: content.action === "handoff" ? `handoff to ${name}` : name,
    turn,
    claim: sequence,
    terms: content.action === "tool" ? [content.term, ...(content.terms ?? [])] : [],
    rule,
    approval,
    approvedBy: approval === null ? [] : (approvers.get(approval) ?? []),
    planned: planned === undefined ? null : { plan: planned.plan, step: planned.step + 1 },
  };
}
