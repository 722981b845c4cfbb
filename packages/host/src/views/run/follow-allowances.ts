/**
 * Who allowed each effect of a run: the term of the grant, the rule that decided, and for what was
 * asked for the people who said yes. A fold of its events, which are what `verify` checks.
 */
import {
  isPlainObject,
  type JsonObject,
  type JsonValue,
  type LoopEvent,
  nameAction,
} from "@turnseal/protocol";

export interface Allowance {
  readonly tool: string;
  readonly turn: number;
  /** The sequence number of the claim. */
  readonly claim: number;
  /** What of the grant allows it: the tool's own entry, and the terms over resources. */
  readonly terms: readonly string[];
  readonly rule: JsonObject | null;
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
      const { type, content, sequence } = event;
      if (type === "approval.requested") approvers.set(sequence, []);
      if (type === "approval.decided" && content["choice"] === "approve")
        approvers.get(Number(content["approval"]))?.push(toApprover(event));
      if (
        type === "action.claimed" &&
        content["action"] !== "model" &&
        content["effect"] !== "read"
      )
        allowances.push(toAllowance(event, approvers));
      if (allowances.length > ALLOWANCES_MAX) allowances.shift();
      // An approval is used in the turn that asked for it.
      if (type === "turn.closed") approvers.clear();
    },
  };
}

function toApprover({ actor, content, sequence }: LoopEvent): Approver {
  const { roles, receivedAt } = content;
  return { by: actor.id, roles: readTexts(roles), event: sequence, at: String(receivedAt) };
}

function toAllowance(
  { content, sequence, turn = 0 }: LoopEvent,
  approvers: ReadonlyMap<number, readonly Approver[]>,
): Allowance {
  const { action, term, terms, rule, approval } = content;
  const asked = typeof approval === "number" ? approval : null;
  return {
    tool: action === "handoff" ? `handoff to ${nameAction(content)}` : nameAction(content),
    turn,
    claim: sequence,
    terms: [...readTexts([term ?? null]), ...readTexts(terms)],
    rule: isPlainObject(rule) ? rule : null,
    approval: asked,
    approvedBy: asked === null ? [] : (approvers.get(asked) ?? []),
  };
}

function readTexts(value: JsonValue | undefined): string[] {
  return Array.isArray(value) ? value.filter((item) => typeof item === "string") : [];
}
