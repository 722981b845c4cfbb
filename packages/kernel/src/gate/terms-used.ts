/** What the terms of the grant say of an action that was admitted under them. */
import type { Term } from "@turnseal/protocol";
import type { Acting, Step } from "../step/step.ts";

type Place = Pick<Step, "action" | "frame">;

/** The terms that the claim of the action names. */
export function listTermsUsed({ frame: { grant }, action: { facts } }: Place): readonly Term[] {
  const named = (facts.action === "tool" ? facts.terms : undefined) ?? [];
  return (grant?.terms ?? []).filter(({ id }) => named.includes(id));
}

/** How long an act may take under its terms, whatever its tool says that it needs. */
export function runtimeMsOf(place: Place): number {
  return Math.min(...listTermsUsed(place).map((term) => limitOf(term, "runtimeMs")));
}

/** True while as many act under one of its terms as may at the same time. */
export function isCrowded(place: Place, beside: Iterable<Acting>): boolean {
  const acting = [...beside].map(({ terms }) => terms);
  return listTermsUsed(place).some((term) => {
    const count = acting.filter((ids) => ids.includes(term.id)).length;
    return count >= Math.max(1, limitOf(term, "fanout"));
  });
}

function limitOf({ bounds: { limits = {} } }: Term, name: "fanout" | "runtimeMs"): number {
  return limits[name] ?? Number.POSITIVE_INFINITY;
}
