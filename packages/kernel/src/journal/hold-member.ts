/**
 * A member of a group: claimed like any action, and held until its group decides (spec/flow.md §8).
 *
 * 1. A held claim never acts. The acting claim is a new one that replaces it.
 * 2. A resume holds what the record held, even if the record goes further: the group repeats its
 *    own events.
 */
import type { EventOf, PassedFacts } from "@turnseal/protocol";
import { judgeStep } from "../gate/judge-step.ts";
import { isCrowded } from "../gate/terms-used.ts";
import type { HeldMember, Hold } from "../hold.ts";
import { fail } from "../outcome.ts";
import { awaitReplay } from "../resume/await-replay.ts";
import { recordedAt } from "../resume/frame.ts";
import type { RecordedAction } from "../resume/recorded-turn.ts";
import { codeOf } from "../step/code-of.ts";
import { type Ended, ended, type Step } from "../step/step.ts";
import { checkPause } from "./check-pause.ts";
import { claimAndAct, UNTIL_ENDED } from "./claim-and-act.ts";
import { checkAction, continueClaim, pickPassed, readSettled } from "./continue-claim.ts";
import { endAction } from "./end-action.ts";
import { findRoom, type Room, refuseExcess } from "./find-room.ts";
import { isUncounted, listActing } from "./handed-runs.ts";
import { leaveTurn } from "./leave-turn.ts";
import { pushClaim } from "./push-claim.ts";
import { resolveClaim } from "./resolve-claim.ts";
import { settleClaim } from "./settle-claim.ts";
import { listBeside, waitForPlace } from "./wait-for-place.ts";

type Claim = EventOf<"action.claimed">;

/** Claims and holds; then acts, or does not. */
export async function holdMember(step: Step): Promise<Ended> {
  const { frame, recorded, key, action } = step;
  const { hold } = frame;
  if (hold === undefined) return claimAndAct(step);
  const hasFiles = action.facts.action === "tool" && action.facts.root !== undefined;
  if (hasFiles || (action.effect !== "idempotent" && action.effect !== "reconcile"))
    return ended(refuseMember(step, hasFiles));
  const known = recorded.takeAction(frame.call, key, recordedAt(frame));
  const claim = known?.claim ?? (await claimHeld(step, hold));
  if (!("sequence" in claim)) return claim;
  if (known !== undefined) checkAction(known.claim, step);
  const heldMs = frame.lastMs();
  hold.onHeld(describe(step, known === undefined ? claim : findHeld(step, claim)));
  const word = await hold.word;
  const passed = { ...step, passed: pickPassed(claim) };
  if (word === "drop") return drop(passed, claim, known);
  // The limit of its act begins when it may act.
  const deadlineAt = frame.deadlineAt + frame.lastMs() - heldMs;
  const facts = { ...passed.passed, ...hold.people() };
  return release({ ...step, passed: facts, frame: { ...frame, deadlineAt } }, claim, known);
}

/** The claim that holds it, also where another has taken its place since. */
function findHeld({ recorded, key }: Step, claim: Claim): Claim {
  const held = recorded.events.find(
    (event) => event.type === "action.claimed" && event.content.key === key,
  );
  return held?.type === "action.claimed" ? held : claim;
}

function describe(step: Step, claim: Claim): HeldMember {
  const { action } = step;
  return {
    claim,
    judge: () => judgeStep(step),
    isSameCode: codeOf(claim.content) === codeOf(action.facts),
    input: action.request,
  };
}

function refuseMember({ action }: Step, hasFiles: boolean) {
  const why = hasFiles ? "changes files" : `is ${action.effect}`;
  const message = `${action.name} ${why}: a group cannot hold it`;
  return fail("POLICY_DENIED", message, { denial: "group-member" });
}

/** Refuses a member whose code changed: people approved the code that was held. */
function refuseCode({ action }: Step) {
  const message = `${action.name} has other code than when it was held`;
  return fail("POLICY_DENIED", message, { denial: "build-changed" });
}

/** Claims it like any action. Only the request to people is made once, for the whole group. */
async function claimHeld(step: Step, hold: Hold): Promise<Claim | Ended> {
  const { frame } = step;
  for (;;) {
    // A member behind a waiting one is not held before that one has ended.
    if (!(await awaitReplay(step)) || frame.branch.isBehind()) return ended({ kind: "paused" });
    if (frame.isCancelled()) return ended(fail("CANCELLED", "the call was cancelled"));
    if (step.control.leave?.aborted === true) return leaveTurn(step);
    const paused = await checkPause(step);
    if (paused !== undefined) return paused;
    // From here to the claim nothing is waited for.
    if (isUncounted(step)) return UNTIL_ENDED;
    const judgement = judgeStep(step);
    if (judgement.kind === "denied") return ended(judgement.refusal);
    const beside = listBeside(step);
    const room = findRoom(step);
    const isFull = isCrowded(step, [...beside.values(), ...listActing(step)]);
    if (beside.size > 0 && (room.isShort || isFull)) {
      await waitForPlace(step, beside.keys());
      continue;
    }
    if (isFull) return UNTIL_ENDED;
    if (room.excess !== undefined) return ended(refuseExcess(room.excess));
    const claimed = pushHeld(step, { reserve: room.reserve, facts: judgement.facts, hold });
    // The claim must be durable before people are asked to commit.
    await step.appender.flush();
    return claimed;
  }
}

interface HeldTerms {
  readonly reserve: Room["reserve"];
  readonly facts: PassedFacts;
  readonly hold: Hold;
}

function pushHeld(step: Step, { reserve, facts, hold }: HeldTerms): Claim | Ended {
  const claim = pushClaim({ ...step, passed: facts }, reserve, undefined, hold.path);
  return claim.type === "action.claimed" ? claim : ended({ kind: "paused" });
}

/** Drops a held claim: it has not acted, and never will. */
async function drop(step: Step, claim: Claim, known: RecordedAction | undefined): Promise<Ended> {
  if (known?.end?.type === "action.settled") return readSettled(known.end, step);
  return ended(endAction("cancelled", step.action, undefined), settleHeld(step, claim));
}

function settleHeld(step: Step, claim: Claim): EventOf<"action.settled"> {
  return settleClaim(step, claim, {
    ...{ status: "cancelled", reason: undefined, retry: "never", isUndone: true },
    ...{ answer: undefined, reserve: claim.content.reserve, hasBegun: false },
    waitedMs: Math.max(0, step.appender.lastMs() - Date.parse(claim.at)),
  });
}

/** Acts by a claim that takes the place of the held one. */
async function release(
  step: Step,
  claim: Claim,
  known: RecordedAction | undefined,
): Promise<Ended> {
  const wasReleased = known?.end !== undefined || isSuperseding(claim);
  if (known !== undefined && wasReleased) return continueClaim(known, step);
  if (!(await awaitReplay(step))) return ended({ kind: "paused" });
  if (codeOf(claim.content) !== codeOf(step.action.facts))
    return ended(refuseCode(step), settleHeld(step, claim));
  let isTaken = false;
  const onTaken = (): void => {
    isTaken = true;
    const isIdempotent = step.action.effect === "idempotent";
    resolveClaim(step, claim, isIdempotent ? "again" : "never");
  };
  const acted = await claimAndAct(step, { claim, onTaken });
  // A failure before the act closes the claim.
  if (!isTaken && acted.outcome.kind === "error")
    return { ...acted, event: settleHeld(step, claim) };
  return acted;
}

function isSuperseding({ content }: Claim): boolean {
  return content.action === "tool" && content.supersedes !== undefined;
}
