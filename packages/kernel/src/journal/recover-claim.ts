/**
 * Decides about a claim of an earlier epoch whose end nobody recorded: it may have happened, may be
 * happening, or may still happen. What may be done depends on what the tool declared; a person
 * decides where nothing else can.
 */
import { type JsonValue, type LoopEvent, type Reconciliation, takeJson } from "@turnseal/protocol";
import { GRACE_MS, OUTPUT_BYTES_MAX, RECONCILE_MS_MAX } from "../limits.ts";
import { fail, succeed } from "../outcome.ts";
import { claimAndAct } from "./claim-and-act.ts";
import type { RecordedAction } from "./recorded-turn.ts";
import { runBounded } from "./run-bounded.ts";
import { type Ended, ended, pushForCall, type Step } from "./step.ts";

export async function recoverClaim(known: RecordedAction, step: Step): Promise<Ended> {
  const { action, clock, frame } = step;
  const { claim } = known;
  if (frame.isCancelled()) return ended(fail("CANCELLED", "the call was cancelled"));
  switch (action.effect) {
    case "repeatable":
      // The provider may have been paid for it: the whole reservation counts, and the question is
      // asked anew.
      resolve(step, claim, "orphaned");
      return claimAndAct(step);
    case "read":
    case "idempotent":
      resolve(step, claim, "again");
      return claimAndAct(step, claim);
    case "reconcile":
    case "once": {
      // Until then the worker that claimed it may still act.
      const settledByMs = Date.parse(String(claim.content["deadlineAt"])) + GRACE_MS;
      if (clock.now() < settledByMs) return ended({ kind: "paused", untilMs: settledByMs });
      return action.effect === "once" ? askPerson(known, step) : reconcileClaim(known, step);
    }
  }
}

async function reconcileClaim(known: RecordedAction, step: Step): Promise<Ended> {
  const answer = await askTool(step);
  if (step.frame.isCancelled()) return ended(fail("CANCELLED", "the call was cancelled"));
  switch (answer.kind) {
    case "happened":
      return ended(
        succeed({ result: answer.result, facts: {}, spent: {} }),
        resolve(step, known.claim, "happened", answer.result),
      );
    case "never":
      resolve(step, known.claim, "never");
      return claimAndAct(step, known.claim);
    case "unsure":
      return askPerson(known, step);
  }
}

/** A tool that does not answer the question, or answers with what cannot be kept, is unsure. */
async function askTool(step: Step): Promise<Reconciliation> {
  const { action, appender, key, clock, signal, watch } = step;
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
  const taken = answer.kind === "happened" ? takeJson(answer.result, OUTPUT_BYTES_MAX) : undefined;
  return taken?.kind === "taken" ? { kind: "happened", result: taken.value } : { kind: "unsure" };
}

function askPerson({ claim, unknown }: RecordedAction, step: Step): Ended {
  const { key, action } = step;
  if (unknown === undefined) {
    const { kind, name } = action;
    const content = { key, claim: claim.sequence, action: kind, name, status: "orphaned" };
    pushForCall(step, "action.unknown", content);
  }
  return ended({ kind: "paused" });
}

type KernelResolution = "orphaned" | "again" | "happened" | "never";

function resolve(
  step: Step,
  claim: LoopEvent,
  resolution: KernelResolution,
  result?: JsonValue,
): LoopEvent {
  const reserve = claim.content["reserve"] ?? {};
  const content = { key: step.key, claim: claim.sequence, resolution, reserve };
  const attached = result === undefined ? undefined : { result };
  return pushForCall(step, "action.resolved", content, attached);
}
