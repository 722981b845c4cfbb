/** Reads the limits of the terms under which an action was admitted. */
import { countFanout, fanoutOf, type Term } from "@turnseal/protocol";
import type { Acting, Step } from "../step/step.ts";

type Place = Pick<Step, "action" | "frame">;

/** The terms that the claim of the action names. */
export function listTermsUsed({ frame: { grant }, action: { facts } }: Place): readonly Term[] {
  const named = (facts.action === "tool" ? facts.terms : undefined) ?? [];
  return (grant?.terms ?? []).filter(({ id }) => named.includes(id));
}

/** The time limit of an action under its terms, independent of its tool's declaration. */
export function runtimeMsOf(place: Place): number {
  const limits = listTermsUsed(place).map(({ bounds }) => bounds.limits?.["runtimeMs"]);
  return Math.min(...limits.map((limit) => limit ?? Number.POSITIVE_INFINITY));
}

/**
 * How many actions may act at the same time under each term, by the id of the term. A handoff
 * counts as many as the terms of its slice allow.
 */
export function countActing(place: Place): Acting["terms"] {
  const { facts } = place.action;
  if (facts.action === "handoff") return countFanout(facts.grant, facts.proof);
  return new Map(listTermsUsed(place).map(({ id }) => [id, 1]));
}

/** True while too many act under one of its terms for it to act at the same time. */
export function isCrowded(place: Place, beside: Iterable<Pick<Acting, "terms">>): boolean {
  const acting = [...beside];
  const { terms = [] } = place.frame.grant ?? {};
  return [...countActing(place)].some(([id, count]) => {
    const term = terms.find((each) => each.id === id);
    const most = term === undefined ? count : fanoutOf(term);
    return acting.reduce((sum, each) => sum + (each.terms.get(id) ?? 0), count) > most;
  });
}
