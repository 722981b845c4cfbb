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
  dayOf,
  isLoopError,
  type JsonObject,
  type LoopEvent,
  uuidFrom,
} from "@turnseal/protocol";
import { GRACE_MS } from "../limits.ts";
import { fail, succeed } from "../outcome.ts";
import type { Answer } from "./action.ts";
import type { EventDraft } from "./appender.ts";
import { type ActionEnd, describeEnd, endAction } from "./end-action.ts";
import { enterLimit } from "./enter-limit.ts";
import { capsOf, findRoom, refuseExcess, takeOver } from "./find-room.ts";
import { describeExpiry, refuseExpired } from "./gate.ts";
import { limitPlaceOf } from "./limit-place.ts";
import { type BoundedOutcome, runBounded } from "./run-bounded.ts";
import { type Ended, ended, ownerOf, pushForCall, type Step } from "./step.ts";

/** Claims and acts. A claim that supersedes another takes over its reservation. */
export async function claimAndAct(step: Step, superseded?: LoopEvent): Promise<Ended> {
  const entry = await enterLimit(step.action.limit, limitPlaceOf(step));
  if (entry.kind === "refused") return ended(entry.refusal);
  if (entry.kind === "later") return ended({ kind: "paused", untilMs: entry.untilMs });
  try {
    const passed = { ...step.passed, ...entry.facts };
    return await claimEntered({ ...step, passed }, superseded);
  } finally {
    entry.leave();
  }
}

async function claimEntered(step: Step, superseded: LoopEvent | undefined): Promise<Ended> {
  const { action, frame } = step;
  if (frame.isCancelled()) return ended(fail("CANCELLED", "the call was cancelled"));
  // What was let through long ago may be denied by now.
  const judgement = superseded === undefined ? undefined : step.judge(action);
  if (judgement?.kind === "denied") return ended(judgement.refusal);
  let room = superseded === undefined ? findRoom(step) : takeOver(superseded);
  while (room.isShort && step.inFlight.size > 0) {
    // What acts beside it may give room back when it is settled. Between the look and the claim
    // nothing is waited for, or two would find the same room.
    await Promise.race(step.inFlight);
    if (frame.isCancelled()) return ended(fail("CANCELLED", "the call was cancelled"));
    room = findRoom(step);
  }
  if (room.excess !== undefined) return ended(refuseExcess(room.excess));

  const claim = pushClaim(step, room.reserve, superseded);
  if (claim.type === "approval.expired") return ended(refuseExpired(step));
  // The host delivers it, and settles it when the other run has ended.
  if (action.kind === "handoff") return ended({ kind: "paused", isAsked: true, isHanded: true });
  const settled = Promise.withResolvers<void>();
  step.inFlight.add(settled.promise);
  try {
    return await actOnClaim(step, claim, superseded);
  } finally {
    step.inFlight.delete(settled.promise);
    settled.resolve();
  }
}

async function actOnClaim(
  step: Step,
  claim: LoopEvent,
  superseded: LoopEvent | undefined,
): Promise<Ended> {
  const { action, appender, key, clock, signal } = step;
  const reserve = claim.content["reserve"] as Amounts;
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
  const { retry: retryAdvice, failure } = end;
  return { outcome: endAction(status, action, end.reason), retryAdvice, failure, event };
}

/** Pushes the claim; or, if by then the approval may not be used any more, that it has expired. */
function pushClaim(step: Step, reserve: Amounts, superseded: LoopEvent | undefined): LoopEvent {
  const { action, appender, asked, frame, key, approved } = step;
  const leftMs = Math.min(
    frame.deadlineAt - frame.lastMs(),
    reserve.activeMs ?? Number.POSITIVE_INFINITY,
  );
  const describe = (nowMs: number): EventDraft => ({
    ...ownerOf(step),
    type: "action.claimed",
    content: {
      action: action.kind,
      ...action.facts,
      ...(action.kind === "handoff" ? { child: childRun(step.run, key) } : {}),
      ...asked.facts,
      ...step.passed,
      key,
      digest: asked.digest,
      effect: action.effect,
      reserve,
      ...(superseded === undefined ? dayFacts(step, nowMs) : pickDay(superseded)),
      deadlineAt: new Date(nowMs + leftMs).toISOString(),
      ...(superseded === undefined ? {} : { supersedes: superseded.sequence }),
    },
    blobs: asked.blobs,
  });
  return appender.push((nowMs) =>
    approved !== undefined && !(nowMs <= approved.useByMs)
      ? describeExpiry(approved.requested, step)
      : describe(nowMs),
  );
}

/** The run that a handoff starts: the same for the same claim, whoever delivers it. */
function childRun(run: string, key: string): string {
  return uuidFrom(`handoff\n${run}\n${key}`);
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
  const { status, reason, retry, failure, retryAfterMs, answer, reserve } = settlement;
  const claimedMs = Date.parse(claim.at);
  const shown = step.action.shown?.();
  const attached = {
    ...(answer === undefined ? {} : { result: answer.result }),
    ...(reason === undefined ? {} : { reason }),
    ...(shown === undefined ? {} : { output: shown.text }),
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
        ...pickDay(claim),
        ...(retry === "never" ? {} : { retry }),
        ...(failure === undefined ? {} : { failure }),
        ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
        ...(shown?.isCut === true ? { outputCut: true } : {}),
        ...answer?.facts,
      },
      attached,
    };
  });
}

/** Counted by day only where the grant has a cap for days. */
function dayFacts(step: Step, nowMs: number): JsonObject {
  if (capsOf(step).perDay === undefined) return {};
  return { day: dayOf(new Date(nowMs).toISOString()) };
}

/** It counts on the day on which it was first claimed. */
function pickDay({ content: { day } }: LoopEvent): JsonObject {
  return day === undefined ? {} : { day };
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
