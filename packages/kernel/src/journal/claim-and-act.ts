/**
 * Claims, acts and settles.
 *
 * Nothing acts before its claim is durable. The clock and the cancel are looked at after that,
 * immediately before the act. An act that was cut off may have happened or may still happen: unless
 * it only reads, it is not settled but unknown. One that was not begun did not happen, and is
 * settled so.
 */
import {
  type Amounts,
  addAmounts,
  type BudgetUnit,
  committed,
  findOverrun,
  isLoopError,
  type LoopEvent,
} from "@turnseal/protocol";
import { GRACE_MS } from "../limits.ts";
import { type Failed, fail, succeed } from "../outcome.ts";
import type { Answer } from "./action.ts";
import { type ActionEnd, describeEnd, endAction } from "./end-action.ts";
import { type BoundedOutcome, runBounded } from "./run-bounded.ts";
import { type Ended, ended, ownerOf, pushForCall, type Step } from "./step.ts";

/** Claims and acts. A claim that supersedes another takes over its reservation. */
export async function claimAndAct(step: Step, superseded?: LoopEvent): Promise<Ended> {
  const { action, appender, frame, key, clock, signal } = step;
  if (frame.isCancelled()) return ended(fail("CANCELLED", "the call was cancelled"));
  const reserve =
    superseded === undefined ? reserveFor(step) : (superseded.content["reserve"] as Amounts);
  const overrun =
    superseded === undefined ? findOverrun(step.cap, step.spending(), reserve) : undefined;
  if (overrun !== undefined) return ended(refuseOverrun(overrun));

  const claim = pushClaim(step, reserve, superseded);
  const deadlineAt = String(claim.content["deadlineAt"]);
  await appender.flush();

  let hasBegun = false;
  const bounded = await step.watch(
    runBounded(
      { clock, deadlineAt: Date.parse(deadlineAt), signal, keepsLateAnswers: true },
      (given) => {
        hasBegun = true;
        return action.act({ key, epoch: appender.epoch, signal: given, deadlineAt });
      },
    ),
  );
  if (isUncertain(bounded, { step, superseded, hasBegun }))
    return leaveUnknown(step, claim, bounded);
  const end = describeEnd(bounded);
  const answer = bounded.kind === "done" ? bounded.value : undefined;
  const event = settle(step, claim, { ...end, answer, reserve, hasBegun });
  if (answer !== undefined) return ended(succeed(answer), event);
  const status = end.status === "ok" ? "failed" : end.status;
  return { outcome: endAction(status, action, end.reason), retryAdvice: end.retry, event };
}

/** Active time is reserved up to what is left: a deadline, not a refusal, holds an action to it. */
function reserveFor({ action, cap, spending, frame }: Step): Amounts {
  if (cap.activeMs === undefined) return action.reserve();
  const leftMs = cap.activeMs - (committed(spending()).activeMs ?? 0);
  const wantedMs = Math.max(1, frame.deadlineAt - frame.lastMs());
  return { ...action.reserve(), activeMs: Math.min(wantedMs, Math.max(leftMs, 1)) };
}

function refuseOverrun(unit: BudgetUnit): Failed {
  return fail("BUDGET_EXCEEDED", `the budget for ${unit} does not allow it`, { unit });
}

function pushClaim(step: Step, reserve: Amounts, superseded: LoopEvent | undefined): LoopEvent {
  const { action, appender, asked, frame, key } = step;
  const leftMs = Math.min(
    frame.deadlineAt - frame.lastMs(),
    reserve.activeMs ?? Number.POSITIVE_INFINITY,
  );
  return appender.push((nowMs) => ({
    ...ownerOf(step),
    type: "action.claimed",
    content: {
      action: action.kind,
      ...action.facts,
      ...asked.facts,
      key,
      digest: asked.digest,
      effect: action.effect,
      reserve,
      deadlineAt: new Date(nowMs + leftMs).toISOString(),
      ...(superseded === undefined ? {} : { supersedes: superseded.sequence }),
    },
    blobs: asked.blobs,
  }));
}

type Cut = Exclude<BoundedOutcome<Answer>, { readonly kind: "done" }>;

interface ActFacts {
  readonly step: Step;
  readonly superseded: LoopEvent | undefined;
  readonly hasBegun: boolean;
}

/**
 * True when nobody can tell whether the effect took place: it was cut off, or the tool itself is
 * not sure.
 */
function isUncertain(bounded: BoundedOutcome<Answer>, facts: ActFacts): bounded is Cut {
  const { effect } = facts.step.action;
  if (effect === "read" || effect === "repeatable" || bounded.kind === "done") return false;
  // The same key was tried before, and nobody asked what came of it: only a good end says anything
  // about that.
  if (effect === "idempotent" && facts.superseded !== undefined) return true;
  if (bounded.kind === "failed")
    return isLoopError(bounded.error) && bounded.error.code === "TOOL_UNSURE";
  return facts.hasBegun;
}

/**
 * Leaves the claim open. A cancel does not wait to learn more; a tool that can be asked is asked
 * later, else a person is.
 */
function leaveUnknown(step: Step, claim: LoopEvent, bounded: Cut): Ended {
  const { action, key } = step;
  const settledByMs = Date.parse(String(claim.content["deadlineAt"])) + GRACE_MS;
  if (action.effect === "reconcile" && bounded.kind !== "cancelled") {
    return ended({ kind: "paused", untilMs: settledByMs });
  }
  const { kind, name } = action;
  const status = bounded.kind;
  const content = { key, claim: claim.sequence, action: kind, name, status };
  const event = pushForCall(step, "action.unknown", content);
  // A failure would be told to the model, which could ask for the same again.
  const mustAsk = action.effect === "once" || bounded.kind === "failed";
  if (mustAsk && bounded.kind !== "cancelled") return ended({ kind: "paused" });
  return ended(endAction(bounded.kind, action, undefined), event);
}

interface Settlement extends ActionEnd {
  readonly hasBegun: boolean;
  readonly answer: Answer | undefined;
  readonly reserve: Amounts;
}

function settle(step: Step, claim: LoopEvent, settlement: Settlement): LoopEvent {
  const { status, reason, retry, answer, reserve } = settlement;
  const claimedMs = Date.parse(claim.at);
  const attached = {
    ...(answer === undefined ? {} : { result: answer.result }),
    ...(reason === undefined ? {} : { reason }),
  };
  return step.appender.push((nowMs) => {
    const durationMs = nowMs - claimedMs;
    return {
      ...ownerOf(step),
      type: "action.settled",
      content: {
        action: step.action.kind,
        key: step.key,
        claim: claim.sequence,
        status,
        durationMs,
        reserve,
        spent: spentBy(step, settlement, durationMs),
        ...(retry === "never" ? {} : { retry }),
        ...answer?.facts,
      },
      attached,
    };
  });
}

/**
 * Whoever refused was paid for the attempt alone; whoever was cut off may have cost all that was
 * reserved.
 */
function spentBy(
  { action }: Step,
  { status, answer, reserve, hasBegun }: Settlement,
  durationMs: number,
): Amounts {
  const { activeMs, ...most } = reserve;
  const time = activeMs === undefined ? {} : { activeMs: Math.min(durationMs, activeMs) };
  const cut = status === "failed" || !hasBegun ? action.attempt : most;
  return addAmounts(answer?.spent ?? cut, time);
}
