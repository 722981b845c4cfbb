/**
 * A member of a group: claimed like any action, and held until its group says what becomes of it
 * (spec/flow.md §8).
 *
 * 1. By a claim that is held nothing acts. What acts claims anew, in its place.
 * 2. A resume holds what the record says was held, also where the record goes on from there: it is
 *    the group that says again what it said.
 */
import type { EventOf, PassedFacts } from "@turnseal/protocol";
import { judgeStep } from "../gate/gate.ts";
import { isCrowded } from "../gate/terms-used.ts";
import type { HeldMember, Hold } from "../hold.ts";
import { fail } from "../outcome.ts";
import { beNew } from "../resume/be-new.ts";
import { recordedAt } from "../resume/frame.ts";
import type { RecordedAction } from "../resume/recorded-turn.ts";
import { codeOf } from "../step/code-of.ts";
import { type Ended, ended, type Step } from "../step/step.ts";
import { claimAndAct, UNTIL_ENDED } from "./claim-and-act.ts";
import { endAction } from "./end-action.ts";
import { findRoom, type Room, refuseExcess } from "./find-room.ts";
import { checkAction, goOn, pickPassed, readSettled } from "./go-on.ts";
import { isUncounted, listActing } from "./handed-runs.ts";
import { leaveTurn } from "./leave-turn.ts";
import { meetPause } from "./meet-pause.ts";
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

/** What people said yes to is what was held. */
function refuseCode({ action }: Step) {
  const message = `${action.name} has other code than when it was held`;
  return fail("POLICY_DENIED", message, { denial: "build-changed" });
}

/** As any action is claimed, but for what people are to be asked: that is asked for all at once. */
async function claimHeld(step: Step, hold: Hold): Promise<Claim | Ended> {
  const { frame } = step;
  for (;;) {
    // What stands behind another that waits is not held before that has ended.
    if (!(await beNew(step)) || frame.branch.isBehind()) return ended({ kind: "paused" });
    if (frame.isCancelled()) return ended(fail("CANCELLED", "the call was cancelled"));
    if (step.leave?.aborted === true) return leaveTurn(step);
    const paused = await meetPause(step);
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
    // Nobody is asked to commit to what is not kept.
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

/** Nothing was done by it, and nothing will be. */
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
  if (known !== undefined && wasReleased) return goOn(known, step);
  if (!(await beNew(step))) return ended({ kind: "paused" });
  if (codeOf(claim.content) !== codeOf(step.action.facts))
    return ended(refuseCode(step), settleHeld(step, claim));
  let isTaken = false;
  const onTaken = (): void => {
    isTaken = true;
    const isIdempotent = step.action.effect === "idempotent";
    resolveClaim(step, claim, isIdempotent ? "again" : "never");
  };
  const acted = await claimAndAct(step, { claim, onTaken });
  // What kept it from acting leaves nothing open.
  if (!isTaken && acted.outcome.kind === "error")
    return { ...acted, event: settleHeld(step, claim) };
  return acted;
}

function isSuperseding({ content }: Claim): boolean {
  return content.action === "tool" && content.supersedes !== undefined;
}
