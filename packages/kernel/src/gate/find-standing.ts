/**
 * The standing approval that covers an action, if there is one (spec/approval.md §11.4). It is
 * looked for in the tick of the claim, so that no two claims take the last use.
 */
import type { StandingApproval } from "@turnseal/folds";
import {
  fitsPattern,
  hasRest,
  isWithinStanding,
  listExcluded,
  mayBeStanding,
  nameStanding,
  type PassedFacts,
} from "@turnseal/protocol";
import type { AskTerms } from "../step/judgement.ts";
import type { Step } from "../step/step.ts";

export interface StandingUse {
  readonly standing: StandingApproval;
  readonly useByMs: number;
  /** The facts for the claim. */
  readonly facts: PassedFacts;
}

/** The first approval in the log that covers the action. `judged` names the rule that asks. */
export function findStanding(
  step: Step,
  ask: AskTerms,
  judged: Pick<PassedFacts, "rule" | "policy">,
): StandingUse | undefined {
  const { mayStand, role } = ask;
  const { action, asked, authority, frame } = step;
  if (mayStand === undefined || frame.hold !== undefined) return undefined;
  const { rule, policy } = judged;
  const named = {
    ...(rule === undefined ? {} : { rule }),
    ...(policy === undefined ? {} : { policy }),
    ...(role === undefined ? {} : { role }),
  };
  const wanted = { ...asked.facts, effect: action.effect, ...named };
  if (!mayBeStanding(wanted)) return undefined;
  const standsFor = nameStanding(wanted);
  for (const standing of authority.standing?.list() ?? []) {
    const { starters } = authority;
    const excluded = listExcluded(standing.exclude, { starters, editors: [] });
    const isCovered =
      standing.standsFor === standsFor &&
      isWithinStanding(standing.given, mayStand) &&
      excluded?.includes(standing.by) === false &&
      hasRest(standing, action.reserve()) &&
      fitsPattern(authority.standing?.patterns.get(standing.decision), action.request);
    if (!isCovered) continue;
    const whom = standing.exclude.length === 0 ? {} : { excluded };
    const facts = { approval: standing.approval, ...named, ...whom };
    return { standing, useByMs: Date.parse(standing.until), facts };
  }
  return undefined;
}

/** True for an action whose approval can stand: the call of a tool with named arguments. */
export function canStand({ asked, action, frame }: Step): boolean {
  const { request } = action;
  const isNamed = typeof request === "object" && request !== null && !Array.isArray(request);
  return isNamed && frame.hold === undefined && mayBeStanding(asked.facts);
}
