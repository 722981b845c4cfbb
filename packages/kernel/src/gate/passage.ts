/** The answer of the checks before a claim. */
import type { PassedFacts } from "@turnseal/protocol";
import { type Failed, fail } from "../outcome.ts";
import { type Ended, ended, type Step } from "../step/step.ts";

export type Passage =
  /**
   * It may be claimed: `step` is the action as admitted, and `facts` are the facts for the claim.
   */
  { readonly kind: "passed"; readonly step: Step; readonly facts: PassedFacts } | Stopped;

export interface Stopped {
  readonly kind: "stopped";
  readonly ended: Ended;
}

export function pass(step: Step, facts: PassedFacts): Passage {
  return { kind: "passed", step, facts };
}

export function stop(refusal: Failed): Stopped {
  return { kind: "stopped", ended: ended(refusal) };
}

/** Without a time it stands behind another in line, and waits for nothing of its own. */
export function wait(untilMs: number | undefined): Stopped {
  const until = untilMs === undefined ? {} : { untilMs, isAsked: true };
  return { kind: "stopped", ended: ended({ kind: "paused", ...until }) };
}

/** A no, in words of ours. */
export function refuse({ action }: Pick<Step, "action">, words: string, denial: string): Failed {
  return fail("POLICY_DENIED", `${action.name} ${words}`, { denial });
}
