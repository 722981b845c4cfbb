/**
 * The approval of a plan, where it covers an action of one of its steps (spec/approval.md §10). It
 * is read from the log of the turn alone, which a verifier can check.
 */
import {
  type EventOf,
  judgePlanApproval,
  type LoopEvent,
  listExcluded,
  type PassedFacts,
  PLAN_TOOL,
} from "@turnseal/protocol";
import { codeOf, nameCode } from "../step/code-of.ts";
import type { AskTerms } from "../step/judgement.ts";
import type { Step } from "../step/step.ts";

export interface PlanApproval {
  readonly useByMs: number;
  /** The facts for the claim. */
  readonly facts: PassedFacts;
}

export function findPlanApproval(step: Step, ask: AskTerms): PlanApproval | undefined {
  if (ask.plan !== "suffices") return undefined;
  const events = [...step.recorded.events, ...step.appender.sinceMark()];
  const planned = findStep(events, step);
  const requested = planned === undefined ? undefined : findRequest(events, planned.plan);
  const { role, approvers, exclude = [], useWithinMs } = ask;
  const excluded = listExcluded(exclude, { starters: step.authority.starters, editors: [] });
  if (planned === undefined || requested === undefined || excluded === undefined) return undefined;
  const decisions = events.filter(
    (event) => event.type === "approval.decided" && event.content.approval === requested.sequence,
  );
  const named = role === undefined ? {} : { role };
  const terms = { ...named, approvers, excluded, useWithinMs };
  const useByMs = judgePlanApproval(requested, decisions, terms);
  if (useByMs === undefined) return undefined;
  const words = exclude.length === 0 ? {} : { exclude: [...exclude] };
  return {
    useByMs,
    facts: {
      approval: requested.sequence,
      ...named,
      ...(exclude.length === 0 ? {} : { excluded }),
      planned: {
        ...{ plan: planned.plan.sequence, step: planned.index, approvers, useWithinMs },
        ...words,
      },
    },
  };
}

interface StepOfPlan {
  readonly plan: EventOf<"plan.proposed">;
  /** Which of its steps. */
  readonly index: number;
}

/** The step that the call carries out, with these very arguments and code, for the first time. */
function findStep(
  events: readonly LoopEvent[],
  { frame, asked, action }: Step,
): StepOfPlan | undefined {
  const { call, parentCall } = frame;
  if (parentCall === undefined || frame.item !== undefined) return undefined;
  const plan = events.find(
    (event) => event.type === "plan.proposed" && event.parentCall === parentCall,
  );
  if (plan?.type !== "plan.proposed") return undefined;
  const started = events.find(
    (event) => event.type === "child.started" && event.content.child === call,
  );
  if (started?.type !== "child.started" || started.call !== parentCall) return undefined;
  const { path, loop } = started.content;
  const index = plan.content.steps.findIndex((step) => step.path === path && step.loop === loop);
  const given = "request" in asked.facts ? asked.facts.request.digest : undefined;
  const isExact = given !== undefined && plan.content.steps[index]?.exact === given;
  // The approval holds for the code and the compensation that people saw.
  const isBuilt = nameCode(plan.content.steps[index] ?? {}) === codeOf(action.facts);
  return isExact && isBuilt && !isUsed(events, { plan, index }) ? { plan, index } : undefined;
}

/** Each step uses it once: a retry after a failure needs an approval of its own. */
function isUsed(events: readonly LoopEvent[], { plan, index }: StepOfPlan): boolean {
  return events.some((event) => {
    if (event.type !== "action.claimed" || event.content.action === "model") return false;
    const { planned } = event.content;
    return planned?.plan === plan.sequence && planned.step === index;
  });
}

/** The request that was approved for the plan, by the claim that used it. */
function findRequest(
  events: readonly LoopEvent[],
  plan: EventOf<"plan.proposed">,
): EventOf<"approval.requested"> | undefined {
  const isApproved = events.some(
    (event) =>
      event.type === "plan.decided" &&
      event.content.plan === plan.sequence &&
      event.content.decision === "approved",
  );
  if (!isApproved) return undefined;
  const claim = events.findLast(
    (event) =>
      event.type === "action.claimed" &&
      event.call === plan.call &&
      event.content.action === "tool" &&
      event.content.tool === PLAN_TOOL,
  );
  if (claim?.type !== "action.claimed" || claim.content.action !== "tool") return undefined;
  const { approval } = claim.content;
  const requested = events.find(({ sequence }) => sequence === approval);
  return requested?.type === "approval.requested" ? requested : undefined;
}
