/**
 * Follows claims under the approval of a plan (spec/approval.md §10.4). The claim must be the very
 * step, with the arguments of the plan. Its build and its declared compensation must be those of
 * the proposal. It may happen once, with an approval by people who may give it.
 */
import { listExcluded, readExclude, readTexts } from "../approval/approval.ts";
import { judgePlanApproval, type StepTerms } from "../approval/plan-approval.ts";
import { canonicalize, isPlainObject, type JsonObject, type JsonValue } from "../canonical-json.ts";
import type { RawEvent } from "../log/raw-event.ts";
import { isCount } from "../shape.ts";
import { PLAN_TOOL } from "../tool-reference.ts";
import type { FindingCode } from "./finding.ts";

export interface PlannedFollower {
  follow(event: RawEvent): void;
  /** Why an action was not let through by the approval of a plan, or undefined when it was. */
  judge(event: RawEvent, given: PlannedGiven): FindingCode | undefined;
}

export interface PlannedGiven {
  /** The request that the claim names as its approval, with the decisions that count. */
  readonly request: { readonly asked: RawEvent; readonly said: readonly RawEvent[] } | undefined;
  readonly isExpired: boolean;
  /** True if its own key has a request. */
  readonly isAskedFor: boolean;
  readonly starters: readonly string[];
  /** Whose approval the terms want that it is claimed under, and whether those still hold. */
  readonly roles: Iterable<string>;
  readonly isGranted: boolean;
}

interface ApprovedPlan {
  readonly call: string | undefined;
  readonly parent: string | undefined;
  readonly steps: JsonValue | undefined;
  readonly used: Set<JsonValue | undefined>;
  isOpen: boolean;
}

export function followPlanned(): PlannedFollower {
  // All of one turn: plans by sequence number, the rest by call.
  let plans = new Map<JsonValue | undefined, ApprovedPlan>();
  let children = new Map<JsonValue | undefined, RawEvent>();
  let approvals = new Map<string | undefined, JsonValue | undefined>();
  const find = (event: RawEvent, planned: JsonObject): ApprovedPlan | undefined => {
    const plan = plans.get(planned["plan"]);
    const child = children.get(event.call);
    if (plan === undefined || child === undefined) return undefined;
    const { approval } = event.content;
    const isItsRequest = approval !== undefined && approvals.get(plan.call) === approval;
    const isItsCall = plan.parent === event.parentCall && plan.parent === child.call;
    const isStep = plan.isOpen && isItsCall && isItsRequest;
    return isStep && isExact(stepAt(plan, planned["step"]), child, event) ? plan : undefined;
  };
  return {
    follow: (event) => {
      const { type, call, parentCall, sequence, content } = event;
      switch (type) {
        case "turn.started":
          [plans, children, approvals] = [new Map(), new Map(), new Map()];
          return;
        case "plan.proposed": {
          const { steps } = content;
          plans.set(sequence, { call, parent: parentCall, steps, used: new Set(), isOpen: false });
          return;
        }
        case "plan.decided":
        case "plan.closed": {
          const plan = plans.get(content["plan"]);
          if (plan !== undefined) plan.isOpen = content["decision"] === "approved";
          return;
        }
        case "child.started":
          children.set(content["child"], event);
          return;
        case "action.claimed":
          if (content["tool"] === PLAN_TOOL) approvals.set(call, content["approval"]);
          return;
        default:
      }
    },
    judge: (event, { request, isAskedFor, isExpired, roles, starters, isGranted }) => {
      const { planned, role } = event.content;
      const plan = isPlainObject(planned) ? find(event, planned as JsonObject) : undefined;
      if (plan === undefined || request === undefined || isAskedFor) return "APPROVAL_MISMATCH";
      const { step } = planned as JsonObject;
      const isUsed = plan.used.has(step);
      plan.used.add(step);
      const terms = readStepTerms(event.content, starters);
      const untilMs =
        terms === undefined ? undefined : judgePlanApproval(request.asked, request.said, terms);
      const hasRoles = [...roles].every((wanted) => wanted === role);
      if (untilMs === undefined || !hasRoles) return "APPROVAL_MISSING";
      if (isUsed) return "APPROVAL_REUSED";
      const isInTime = Date.parse(event.at) <= untilMs && isGranted && !isExpired;
      return isInTime ? undefined : "APPROVAL_EXPIRED";
    },
  };
}

function stepAt({ steps }: ApprovedPlan, index: JsonValue | undefined): JsonObject | undefined {
  if (!Array.isArray(steps) || !isCount(index)) return undefined;
  const step: unknown = steps[index];
  return isPlainObject(step) ? (step as JsonObject) : undefined;
}

/**
 * True if the call has the place of the step, its loop, its input, and the build that it names.
 * Older logs, without builds in steps, name none.
 */
function isExact(
  step: JsonObject | undefined,
  { content: { path, loop } }: RawEvent,
  { content }: RawEvent,
): boolean {
  if (step === undefined || typeof step["exact"] !== "string") return false;
  const { request } = content;
  if (step["build"] !== undefined && !isOfItsCode(step, content)) return false;
  const given = isPlainObject(request) ? request["digest"] : undefined;
  return step["path"] === path && step["loop"] === loop && step["exact"] === given;
}

/** The build, and what the tool declares of being taken back. */
const codeFields = ["build", "compensation", "irreversible"];

function isOfItsCode(step: JsonObject, claim: JsonObject): boolean {
  return codeFields.every(
    (name) => canonicalize([step[name] ?? null]) === canonicalize([claim[name] ?? null]),
  );
}

/**
 * The terms of the rule, if they are readable and `excluded` names everyone that the rule excludes.
 */
function readStepTerms(content: JsonObject, starters: readonly string[]): StepTerms | undefined {
  const { planned, role } = content;
  const { approvers, useWithinMs, ...words } = planned as JsonObject;
  const excluded = readTexts(content["excluded"]);
  const meant = listExcluded(readExclude(words), { starters, editors: [] });
  const isNamed = meant?.every((id) => excluded.includes(id)) ?? false;
  if (!isCount(approvers) || !isCount(useWithinMs) || !isNamed) return undefined;
  if (role !== undefined && typeof role !== "string") return undefined;
  return { approvers, useWithinMs, excluded, ...(role === undefined ? {} : { role }) };
}
