/**
 * Claims, acts and settles.
 *
 * An action never acts before its claim is durable. After that, immediately before the act, the
 * clock and the cancel are checked. An act that was cut off, or threw, may have happened or may
 * still happen: unless it only reads, it is unknown and not settled. An act that did not begin, or
 * whose tool reports that it did nothing, did not happen, and is settled so.
 */
import { type Amounts, type EventOf, isClaimOf } from "@turnseal/protocol";
import { saysNotDone } from "@turnseal/protocol/authoring";
import { judgeClaim, refuseExpired } from "../gate/gate.ts";
import { waitFor } from "../gate/request-approval.ts";
import { countActing, isCrowded } from "../gate/terms-used.ts";
import { GRACE_MS, LOG_WAIT_MS_MAX, RETRIES_MAX, RETRY_DELAY_MS } from "../limits.ts";
import { LogError } from "../log/log-error.ts";
import { fail, succeed } from "../outcome.ts";
import type { Answer } from "../step/action.ts";
import { questionOf } from "../step/asking-error.ts";
import { type Ended, ended, ownerOf, type Step, type Superseded } from "../step/step.ts";
import { formatInstant } from "../values/format-instant.ts";
import { canonicalResult } from "./canonical-result.ts";
import { capHandoff } from "./cap-handoff.ts";
import { checkPause } from "./check-pause.ts";
import { type ActionEnd, describeEnd, endAction, endUnknown } from "./end-action.ts";
import { enterLimits } from "./enter-limit.ts";
import { findRoom, refuseExcess, roomOf } from "./find-room.ts";
import { isUncounted, listActing } from "./handed-runs.ts";
import { leaveTurn } from "./leave-turn.ts";
import { limitPlaceOf } from "./limit-place.ts";
import { pushClaim } from "./push-claim.ts";
import { resolveClaim } from "./resolve-claim.ts";
import { type BoundedOutcome, runBounded } from "./run-bounded.ts";
import { settleClaim } from "./settle-claim.ts";
import { listBeside, waitForPlace } from "./wait-for-place.ts";
import { waitInPlace } from "./wait-in-place.ts";

type Claim = EventOf<"action.claimed">;

/** A stopped action has no further result. */
const STOPPED = fail("CANCELLED", "the call was told to stop");

/** The end of an action that waits for an open handoff. */
export const UNTIL_ENDED = ended({ kind: "paused", isAsked: true });

/** Claims and acts. A claim that supersedes another takes over its reservation. */
export async function claimAndAct(step: Step, superseded?: Superseded): Promise<Ended> {
  for (;;) {
    const entry = await enterLimits(limitPlaceOf(step));
    if (entry.kind === "refused") return superseded?.leaveOpen?.() ?? ended(entry.refusal);
    if (entry.kind === "later") return ended({ kind: "paused", untilMs: entry.untilMs });
    let isClaimed = false;
    const onClaim = (): void => {
      isClaimed = true;
    };
    let beside: HeldBack["beside"];
    try {
      const passed = { ...step.passed, ...entry.facts };
      const claimed = await claimEntered({ ...step, passed }, superseded, onClaim);
      if (!("beside" in claimed)) return claimed;
      ({ beside } = claimed);
    } finally {
      if (isClaimed) entry.leave();
      // A pause, a rule or a budget stood in the way: what all share is not used up by that.
      else entry.withdraw();
    }
    // Waits without holding a shared lease, since the other actions may take long.
    await waitForPlace(step, beside);
  }
}

/** There is no room, or no place, until one of these is settled. */
interface HeldBack {
  readonly beside: Iterable<Promise<void>>;
}

async function claimEntered(
  entered: Step,
  superseded: Superseded | undefined,
  onClaim: () => void,
): Promise<Ended | HeldBack> {
  if (entered.frame.isCancelled()) return ended(fail("CANCELLED", "the call was cancelled"));
  // A repeated call is in progress, and may end first.
  if (entered.control.leave?.aborted === true && entered.triesBefore === undefined)
    return leaveTurn(entered);
  const paused = await checkPause(entered);
  if (paused !== undefined) return paused;
  // In the meantime, others may have decided without it.
  if (entered.frame.branch.isStopped()) return superseded?.leaveOpen?.() ?? ended(STOPPED);
  if (superseded === undefined && isUncounted(entered)) return UNTIL_ENDED;
  // From here to the claim nothing is waited for: two would be judged by the same spending, or
  // find the same room.
  const passage = judgeClaim(entered, superseded?.claim);
  if (passage.kind === "stopped") return superseded?.leaveOpen?.() ?? passage.ended;
  const step = capHandoff({ ...passage.step, passed: passage.facts });
  if ("kind" in step) return ended(step);
  const room = superseded === undefined ? findRoom(step) : roomOf(superseded.claim);
  // An action beside it may free budget or a place when it is settled.
  const beside = listBeside(step);
  const isFull = isCrowded(step, [...beside.values(), ...listActing(step)]);
  if (beside.size > 0 && (room.isShort || isFull)) return { beside: beside.keys() };
  if (isFull) return UNTIL_ENDED;
  if (room.excess !== undefined) return ended(refuseExcess(room.excess));
  return claimInRoom(step, { reserve: room.reserve, superseded, onClaim });
}

interface ClaimTerms {
  readonly reserve: Amounts;
  readonly superseded: Superseded | undefined;
  readonly onClaim: () => void;
}

async function claimInRoom(
  step: Step,
  { reserve, superseded, onClaim }: ClaimTerms,
): Promise<Ended> {
  if (superseded?.leaveOpen !== undefined) resolveClaim(step, superseded.claim, "again");
  superseded?.onTaken?.();
  const claim = pushClaim(step, reserve, superseded?.claim);
  if (claim.type === "approval.expired") return ended(refuseExpired(step));
  if (claim.type === "approval.requested") return waitFor(claim).ended;
  onClaim();
  // The host delivers it, and settles it when the other run has ended.
  if (isClaimOf("handoff", claim)) {
    step.handed.push(claim);
    return ended({ kind: "paused", isAsked: true, isHanded: true });
  }
  // A repeated call has been in flight since the first one.
  if (step.own !== undefined) return actOnClaim(step, claim, superseded);
  const settled = Promise.withResolvers<void>();
  const terms = countActing(step);
  step.inFlight.set(settled.promise, { effect: step.action.effect, terms });
  try {
    return await actOnClaim({ ...step, own: settled.promise }, claim, superseded);
  } finally {
    step.inFlight.delete(settled.promise);
    settled.resolve();
  }
}

async function actOnClaim(
  step: Step,
  claim: Claim,
  superseded: Superseded | undefined,
): Promise<Ended> {
  const { action, appender, key, clock } = step;
  const { signal, watch } = step.control;
  const { reserve } = claim.content;
  await appender.flush();

  // The time that the log took is nobody's work: the limit of the act begins here.
  const beganMs = clock.now();
  const endMs = endOfAct(claim, beganMs);
  const deadlineAt = formatInstant(endMs);
  let hasBegun = false;
  const bounded = await watch(
    runBounded({ clock, deadlineAt: endMs, signal, keepsLateAnswers: true }, (given) => {
      const onBegin = (): void => {
        hasBegun = true;
      };
      const { epoch } = appender;
      const isRepeated = superseded !== undefined;
      const time = { nowMs: () => clock.now(), after: clock.after.bind(clock) };
      return action.act({ key, epoch, isRepeated, signal: given, deadlineAt, onBegin, ...time });
    }),
  );
  // The message to send differs from the log. The action has not begun, and the turn stays as it
  // is.
  if (bounded.kind === "failed" && !hasBegun && bounded.error instanceof LogError)
    throw bounded.error;
  if (isUncertain(bounded, { step, superseded, hasBegun })) {
    const hasThrown = !wasTried(superseded) || superseded?.hasThrown === true;
    if (mayCallAgain(step, bounded)) return callAgain(step, claim, { bounded, hasThrown });
    const hasFailed = hasBegun && hasThrown && mayFail(step, claim, bounded);
    if (!hasFailed) return leaveUnknown(step, claim, bounded);
  }
  const described = describeEnd(bounded);
  // An earlier call may have acted, and with another key the tool would act twice.
  const end = superseded?.hasThrown === true ? withoutRetry(described) : described;
  const answer = bounded.kind === "done" ? bounded.value : undefined;
  const waitedMs = Math.max(0, beganMs - Date.parse(claim.at));
  const event = settleClaim(step, claim, { ...end, answer, reserve, hasBegun, waitedMs });
  // Other actions may take long. Without this flush, a crash would make this one unknown.
  if (listBeside(step).size > 0) void appender.flush();
  if (answer !== undefined) {
    const result = action.kind === "tool" ? canonicalResult(answer.result) : answer.result;
    return ended(succeed({ ...answer, result }), event);
  }
  const status = end.status === "ok" ? "failed" : end.status;
  const { retry: retryAdvice, failure, asks } = end;
  return {
    outcome: endAction(status, action, end.reason),
    retryAdvice,
    failure,
    event,
    asks,
    claimed: action,
  };
}

/** Its question would be the same: the answer makes another key. */
function withoutRetry({ asks, ...described }: ActionEnd): ActionEnd {
  const reason =
    asks === undefined ? described.reason : "it asked after an earlier call had failed";
  return { ...described, reason, isUndone: false, retry: "never" };
}

/** Never past the deadline of the claim: from then on others count on it that nobody acts. */
function endOfAct({ at, content }: Claim, beganMs: number): number {
  const deadlineMs = Date.parse(content.deadlineAt);
  const limitMs = deadlineMs - LOG_WAIT_MS_MAX - Date.parse(at);
  return Math.min(beganMs + limitMs, deadlineMs);
}

type Cut = Exclude<BoundedOutcome<Answer>, { readonly kind: "done" }>;

interface ActFacts {
  readonly step: Step;
  readonly superseded: Superseded | undefined;
  readonly hasBegun: boolean;
}

/**
 * True when the effect may have happened: the act began, and was cut off, or threw an error other
 * than `notDone`.
 */
function isUncertain(bounded: BoundedOutcome<Answer>, facts: ActFacts): bounded is Cut {
  const { effect } = facts.step.action;
  if (effect === "read" || effect === "repeatable" || bounded.kind === "done") return false;
  // The same key was tried before with an unknown end: only a success settles that.
  if (effect === "idempotent" && wasTried(facts.superseded)) return true;
  return facts.hasBegun && !didNothing(bounded);
}

/** The tool says so of this call; of an earlier one of the same key it cannot know. */
function didNothing(bounded: Cut): boolean {
  if (bounded.kind !== "failed") return false;
  return saysNotDone(bounded.error) || questionOf(bounded.error) !== undefined;
}

/** By a claim that was held nothing was tried. */
function wasTried(superseded: Superseded | undefined): boolean {
  const before = superseded?.claim.content;
  return before !== undefined && (before.action !== "tool" || before.held === undefined);
}

/** A tool that acts once for each key finds out by itself what became of a call that threw. */
function mayCallAgain({ action, triesBefore = 0 }: Step, bounded: Cut): boolean {
  const hasThrown = bounded.kind === "failed" && !didNothing(bounded);
  return action.effect === "idempotent" && hasThrown && triesBefore < RETRIES_MAX;
}

/**
 * A tool that acts once for each key and threw each time has failed, and counts as done: the model
 * sees the failure. A member of a group and a compensation stay unknown: others rely on them.
 */
function mayFail({ action, frame }: Step, { content }: Claim, bounded: Cut): boolean {
  const isAlone = frame.hold === undefined && content.action === "tool" && !content.takesBack;
  return isAlone && action.effect === "idempotent" && bounded.kind === "failed";
}

interface Thrown {
  readonly bounded: Cut;
  readonly hasThrown: boolean;
}

async function callAgain(step: Step, claim: Claim, { bounded, hasThrown }: Thrown): Promise<Ended> {
  const { approved: _, triesBefore = 0, ...rest } = step;
  await waitInPlace(step, RETRY_DELAY_MS * 2 ** triesBefore);
  if (step.frame.isCancelled()) return leaveUnknown(step, claim, { kind: "cancelled" });
  const leaveOpen = (): Ended => leaveUnknown(step, claim, bounded);
  const again = { claim, leaveOpen, ...(hasThrown ? { hasThrown } : {}) };
  return claimAndAct({ ...rest, triesBefore: triesBefore + 1 }, again);
}

/**
 * Leaves the claim open. A cancel does not wait to learn more. A tool that can reconcile is called
 * later; otherwise a person is asked.
 */
function leaveUnknown(step: Step, claim: Claim, bounded: Cut): Ended {
  const { action, key } = step;
  const settledByMs = Date.parse(claim.content.deadlineAt) + GRACE_MS;
  // Others have decided without it: no person is asked, and the run does not wait for it.
  const isLeft = step.frame.branch.isStopped();
  if (action.effect === "reconcile" && bounded.kind !== "cancelled" && !isLeft) {
    return ended({ kind: "paused", untilMs: settledByMs });
  }
  const { kind, name } = action;
  const { reason } = describeEnd(bounded);
  const event = step.appender.push(() => ({
    ...ownerOf(step),
    type: "action.unknown",
    content: {
      ...{ key, claim: claim.sequence, action: kind, name },
      status: isLeft ? "withdrawn" : bounded.kind,
    },
    ...(reason === undefined ? {} : { attached: { reason } }),
  }));
  // After a failure, the model could ask for the same again.
  const mustAsk = action.effect === "once" || bounded.kind === "failed";
  if (mustAsk && bounded.kind !== "cancelled" && !isLeft) return ended({ kind: "paused" });
  return ended(endUnknown(bounded.kind, action), event);
}
