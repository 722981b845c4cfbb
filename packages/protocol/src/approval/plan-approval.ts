/**
 * Decides when the approval of a plan counts for an action of one of its steps (spec/approval.md
 * §10). The kernel uses it before a claim, and every verifier after it.
 */

import { isInstant } from "../instant.ts";
import type { AnyEvent } from "../log/raw-event.ts";
import { toRaw } from "../log/raw-event.ts";
import { APPROVERS_MAX } from "../policy/policy.ts";
import { isCount } from "../shape.ts";
import { judgeApproval, missingApprovals, readTexts } from "./approval.ts";

/** The rule's terms for the approval of an action. */
export interface StepTerms {
  readonly role?: string;
  readonly approvers: number;
  /** The ids of those who may not approve it. */
  readonly excluded: readonly string[];
  readonly useWithinMs: number;
}

/**
 * Until when the approval may be used for it; undefined if those who approved the plan are not
 * those who may approve the action, or too few of them.
 */
export function judgePlanApproval(
  requested: AnyEvent,
  decisions: readonly AnyEvent[],
  { role, approvers, excluded, useWithinMs }: StepTerms,
): number | undefined {
  if (approvers < 1 || approvers > APPROVERS_MAX) return undefined;
  const state = judgeApproval(requested, decisions);
  if (state.kind !== "approved") return undefined;
  const people = state.by
    .map(toRaw)
    .filter(({ content: { roles } }) => role === undefined || readTexts(roles).includes(role))
    .map(({ actor }) => actor.id)
    .filter((id) => !excluded.includes(id));
  if (missingApprovals(approvers, people) > 0) return undefined;
  const within = toRaw(requested).content["useWithinMs"];
  const receivedAt = state.by.map(toRaw).at(-1)?.content["receivedAt"];
  if (!isCount(within) || !isInstant(receivedAt)) return undefined;
  return Date.parse(receivedAt) + Math.min(within, useWithinMs);
}
