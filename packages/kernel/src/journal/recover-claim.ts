/**
 * Decides about a claim of an earlier epoch whose end nobody recorded: it may have happened, may be
 * happening, or may still happen. What may be done depends on what the tool declared then, and
 * declares now; a person decides where they differ, and where nothing else can.
 */
import { copyJson } from "@turnseal/protocol";
import type { Reconciliation } from "@turnseal/protocol/authoring";
import { GRACE_MS, OUTPUT_BYTES_MAX, RECONCILE_MS_MAX, RETRIES_MAX } from "../limits.ts";
import { fail, succeed } from "../outcome.ts";
import type { RecordedAction } from "../resume/recorded-turn.ts";
import { type Ended, ended, ownerOf, type Step } from "../step/step.ts";
import { asKept } from "./as-kept.ts";
import { claimAndAct } from "./claim-and-act.ts";
import { keepsDeed } from "./keeps-deed.ts";
import { meetPause } from "./meet-pause.ts";
import { resolveClaim } from "./resolve-claim.ts";
import { runBounded } from "./run-bounded.ts";

export async function recoverClaim(known: RecordedAction, step: Step): Promise<Ended> {
  const { action, clock, frame } = step;
  const { claim } = known;
  if (frame.isCancelled()) return ended(fail("CANCELLED", "the call was cancelled"));
  const paused = await meetPause(step);
  if (paused !== undefined) return paused;
  // What another build promises says nothing of what was done before it.
  const effect = keepsDeed(claim, step) ? action.effect : "once";
  switch (effect) {
    case "repeatable":
      // The provider may have been paid for it: the whole reservation counts, and the question is
      // asked anew.
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

/** Nobody can say what became of something that may still be going on. */
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
      // One that never does it would be called for ever.
      if (known.nevers >= RETRIES_MAX) return askPerson(known, step);
      resolveClaim(step, known.claim, "never");
      return claimAndAct(step, { claim: known.claim });
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
  const copied = answer.kind === "happened" ? copyJson(answer.result, OUTPUT_BYTES_MAX) : undefined;
  return copied?.kind === "copied"
    ? { kind: "happened", result: asKept(copied.value) }
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
