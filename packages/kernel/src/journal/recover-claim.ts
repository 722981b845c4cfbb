/**
 * Decides about a claim of an earlier epoch without a recorded end: it may have happened, may be
 * happening, or may still happen. The decision depends on the tool's declarations then and now; a
 * person decides where they differ, and where nothing else can.
 */
import { copyJson } from "@turnseal/protocol";
import type { Reconciliation } from "@turnseal/protocol/authoring";
import { GRACE_MS, OUTPUT_BYTES_MAX, RECONCILE_MS_MAX, RETRIES_MAX } from "../limits.ts";
import { fail, succeed } from "../outcome.ts";
import type { RecordedAction } from "../resume/recorded-turn.ts";
import { type Ended, ended, ownerOf, type Step } from "../step/step.ts";
import { canonicalResult } from "./canonical-result.ts";
import { checkPause } from "./check-pause.ts";
import { claimAndAct } from "./claim-and-act.ts";
import { matchesClaim } from "./matches-claim.ts";
import { resolveClaim } from "./resolve-claim.ts";
import { runBounded } from "./run-bounded.ts";

export async function recoverClaim(known: RecordedAction, step: Step): Promise<Ended> {
  const { action, clock, frame } = step;
  const { claim } = known;
  if (frame.isCancelled()) return ended(fail("CANCELLED", "the call was cancelled"));
  const paused = await checkPause(step);
  if (paused !== undefined) return paused;
  // The promises of a new build do not cover an attempt by the earlier one.
  const effect = matchesClaim(claim, step) ? action.effect : "once";
  switch (effect) {
    case "repeatable":
      // The provider may have charged for it: the whole reservation counts, and the model is asked
      // again.
      resolveClaim(step, claim, "orphaned");
      return claimAndAct(step);
    case "read":
      resolveClaim(step, claim, "again");
      return claimAndAct(step, { claim });
    case "idempotent":
      return claimAndAct(step, { claim, leaveOpen: () => askInTime(known, step) });
    case "reconcile":
    case "once": {
      const settledByMs = settledBy(known);
      if (clock.now() < settledByMs) return ended({ kind: "paused", untilMs: settledByMs });
      return effect === "once" ? askPerson(known, step) : reconcileClaim(known, step);
    }
  }
}

/** Until then the worker that claimed it may still act. */
function settledBy({ claim }: RecordedAction): number {
  return Date.parse(claim.content.deadlineAt) + GRACE_MS;
}

/** The end of an action that may still be going on is unknown. */
function askInTime(known: RecordedAction, step: Step): Ended {
  const untilMs = settledBy(known);
  return step.clock.now() < untilMs ? ended({ kind: "paused", untilMs }) : askPerson(known, step);
}

async function reconcileClaim(known: RecordedAction, step: Step): Promise<Ended> {
  const answer = await askTool(step);
  if (step.frame.isCancelled()) return ended(fail("CANCELLED", "the call was cancelled"));
  switch (answer.kind) {
    case "happened":
      return ended(
        succeed({ result: answer.result, facts: { action: "tool" }, spent: {} }),
        resolveClaim(step, known.claim, "happened", answer.result),
      );
    case "never":
      // Otherwise a tool that never does it would be called for ever.
      if (known.nevers >= RETRIES_MAX) return askPerson(known, step);
      resolveClaim(step, known.claim, "never");
      return claimAndAct(step, { claim: known.claim });
    case "unsure":
      return askPerson(known, step);
  }
}

/** A tool that does not answer the question, or answers with what cannot be kept, is unsure. */
async function askTool(step: Step): Promise<Reconciliation> {
  const { action, appender, key, clock } = step;
  const { signal, watch } = step.control;
  const { epoch } = appender;
  const { reconcile } = action;
  if (reconcile === undefined) return { kind: "unsure" };
  const deadlineAt = clock.now() + RECONCILE_MS_MAX;
  const bounded = await watch(
    runBounded({ clock, deadlineAt, signal }, () => reconcile(key, { epoch })),
  );
  if (bounded.kind !== "done") return { kind: "unsure" };
  const answer = bounded.value;
  if (answer.kind === "never") return answer;
  const copied = answer.kind === "happened" ? copyJson(answer.result, OUTPUT_BYTES_MAX) : undefined;
  return copied?.kind === "copied"
    ? { kind: "happened", result: canonicalResult(copied.value) }
    : { kind: "unsure" };
}

function askPerson({ claim, unknown }: RecordedAction, step: Step): Ended {
  const { key, action } = step;
  if (unknown === undefined) {
    const { kind, name } = action;
    step.appender.push(() => ({
      ...ownerOf(step),
      type: "action.unknown",
      content: { key, claim: claim.sequence, action: kind, name, status: "orphaned" },
    }));
  }
  return ended({ kind: "paused" });
}
