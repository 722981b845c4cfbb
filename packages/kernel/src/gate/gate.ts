/**
 * The checks between an action and its claim (spec/approval.md).
 *
 * 1. A recorded decision stands: a resume and a replay pass as the first attempt did.
 * 2. Only an action that is about to happen is judged, by the rules of the run and by the denials
 *    of today's. That happens in the tick of its claim, so that it sees all earlier claims. An
 *    action in line behind another is judged once more, only to learn whether a person has to be
 *    asked.
 * 3. An approval is for one action: its digest is compared here, right before the claim that uses
 *    it up. A plan's approval covers each of its steps, and one that stands covers what fits its
 *    pattern, if the asking rule says so.
 */
import { cutReason, DECLINED, type EventOf, judgeApproval } from "@turnseal/protocol";
import type { EventDraft } from "../log/appender.ts";
import { type Failed, fail } from "../outcome.ts";
import { awaitReplay, wasLeftBehind } from "../resume/await-replay.ts";
import { recordedAt } from "../resume/frame.ts";
import { type AskedEvent, drifted } from "../resume/recorded-turn.ts";
import type { Judgement } from "../step/judgement.ts";
import { type LateDraft, ownerOf, type Step } from "../step/step.ts";
import { findPlanApproval, type PlanApproval } from "./find-plan-approval.ts";
import { findStanding, type StandingUse } from "./find-standing.ts";
import { isAsShown } from "./is-as-shown.ts";
import { judgeStep, listExpiries, nowOf } from "./judge-step.ts";
import { type Passage, pass, refuse, stop, wait } from "./passage.ts";
import { describeRequest, requestAgain, requestApproval } from "./request-approval.ts";

/** Lets an action through, asks for it, or refuses it. */
export async function passGate(step: Step): Promise<Passage> {
  const { recorded, frame, key } = step;
  const { call, item } = frame;
  const rounds = groupByRequest(recorded.takeAsked(call, key, recordedAt(frame)));
  const editors: string[] = [];
  let current = step;
  for (const [index, round] of rounds.entries()) {
    const isLast = index === rounds.length - 1;
    const passage = await passRound(round, current, { isLast, editors });
    if (passage.kind === "replaced") continue;
    if (passage.kind !== "edited") return passage;
    current = passage.step;
    editors.push(passage.by);
  }
  // Its claim is recorded, so it passed then.
  if (rounds.length === 0 && recorded.hasMore(call, item)) return pass(step, {});
  // The edited action was refused then, and the record has the refusal.
  if (recorded.refusalOf(call, item) !== undefined) return pass(current, {});
  return passNew(current, { edited: rounds.at(-1)?.requested, editors });
}

type Requested = EventOf<"approval.requested">;

/** A request for approval, with its answers. */
interface Round {
  readonly requested: Requested;
  readonly said: readonly AskedEvent[];
}

function groupByRequest(events: readonly AskedEvent[]): Round[] {
  const rounds: { requested: Requested; said: AskedEvent[] }[] = [];
  for (const event of events) {
    if (event.type === "approval.requested") rounds.push({ requested: event, said: [] });
    else rounds.at(-1)?.said.push(event);
  }
  return rounds;
}

type RoundPassage =
  | Passage
  | { readonly kind: "edited"; readonly step: Step; readonly by: string }
  /** It was approved, and replaced by a new request before its use. */
  | { readonly kind: "replaced" };

interface RoundPlace {
  readonly isLast: boolean;
  readonly editors: readonly string[];
}

async function passRound(
  { requested, said }: Round,
  step: Step,
  { isLast, editors }: RoundPlace,
): Promise<RoundPassage> {
  const { content, sequence } = requested;
  if (content.digest !== step.asked.digest)
    throw drifted(`event ${sequence} asks for another action than the code now wants`);
  const expired = said.find((event) => event.type === "approval.expired");
  // The asking item was withdrawn, so the call ends here.
  if (expired?.content.because === "withdrawn") return wait(undefined);
  if (expired !== undefined) return stop(refuseExpired(step));
  const state = judgeApproval(requested, said.filter(isDecision));
  switch (state.kind) {
    case "rejected":
      return stop(await refuseRejected(step, content.onReject === "tell", state.by.at(-1)));
    case "edited":
      return reviseStep(step, state.by.at(-1));
    case "pending":
      // An unanswered request before the last one was not waited for.
      return isLast ? waitForDecision(requested, step) : stop(refuseExpired(step));
    case "approved": {
      if (!isLast) return { kind: "replaced" };
      const approvedAt = state.by.at(-1)?.content.receivedAt ?? "";
      return passApproved(requested, step, { approvedAt, editors });
    }
  }
}

type Decided = EventOf<"approval.decided">;

function isDecision(event: AskedEvent): event is Decided {
  return event.type === "approval.decided";
}

/**
 * Applies a person's edit. The new arguments make another action, which needs an approval of its
 * own.
 */
async function reviseStep(step: Step, decided: Decided | undefined): Promise<RoundPassage> {
  const reference = decided?.content.arguments;
  const edited = reference === undefined ? undefined : await step.appender.content.read(reference);
  const revised = edited === undefined ? undefined : step.action.revise?.(edited);
  return revised?.kind === "ok"
    ? { kind: "edited", step: step.restate(revised.value), by: decided?.actor.id ?? "" }
    : stop(refuse(step, "cannot be asked for so", "edit-refused"));
}

async function waitForDecision(requested: Requested, step: Step): Promise<Passage> {
  const decideByMs = Date.parse(requested.content.decideBy);
  const isOpen = nowOf(step) <= decideByMs && !step.frame.isCancelled();
  if (isOpen || (await wasLeftBehind(step))) return wait(decideByMs + 1);
  if (step.frame.isCancelled()) return stop(fail("CANCELLED", "the call was cancelled"));
  if (!(await awaitReplay(step)) || step.frame.branch.isStopped()) return wait(undefined);
  return expire(requested, step);
}

/** Approved in time, it must also be used in time. */
async function passApproved(
  requested: Requested,
  step: Step,
  { approvedAt, editors }: { readonly approvedAt: string; readonly editors: readonly string[] },
): Promise<Passage> {
  const { recorded, frame } = step;
  const { sequence, content } = requested;
  const { rule, role, policy, excluded } = content;
  const facts = {
    approval: sequence,
    ...(rule === undefined ? {} : { rule }),
    ...(role === undefined ? {} : { role }),
    ...(policy === undefined ? {} : { policy }),
    ...(excluded === undefined ? {} : { excluded }),
  };
  if (recorded.hasMore(frame.call, frame.item)) return pass(step, facts);
  if (!(await awaitReplay(step))) return wait(undefined);
  // A tool before it in line is not done yet.
  if (frame.branch.isBehind()) return wait(undefined);
  if (!isAsShown(content, step)) return askAnew(requested, step, editors);
  // The time of the claim decides whether it is in time. An approval ends with the grant and terms
  // that it was given under.
  const ends = listExpiries(step).map(({ expiresAt }) => Date.parse(expiresAt) - 1);
  const useByMs = Math.min(Date.parse(approvedAt) + content.useWithinMs, ...ends);
  const describeLate = (): LateDraft => describeExpiry(requested, step);
  return pass({ ...step, approved: { useByMs, describeLate } }, facts);
}

/** Asks for an approval of the tool as it is now: it is not the one that people saw. */
function askAnew(requested: Requested, step: Step, editors: readonly string[]): Passage {
  const replaces = { replaces: requested.sequence, because: "build" } as const;
  const judgement = judgeStep(step);
  switch (judgement.kind) {
    case "denied":
      return stop(judgement.refusal);
    case "allowed":
      return requestAgain(step, requested, { editors, facts: replaces });
    case "asked": {
      const facts = { ...judgement.facts, ...replaces };
      return requestApproval(step, judgement.ask, { ...judgement, facts, editors });
    }
  }
}

/** An edited request: the last one, and the people who edited it. */
interface Edits {
  readonly edited: Requested | undefined;
  readonly editors: readonly string[];
}

/**
 * Lets the next action through, to be judged with its claim. An action behind another may only ask
 * for approval. An edited action is asked for again.
 */
async function passNew(step: Step, { edited, editors }: Edits): Promise<Passage> {
  if (!(await awaitReplay(step))) return wait(undefined);
  if (step.frame.isCancelled()) return stop(fail("CANCELLED", "the call was cancelled"));
  if (edited === undefined && !step.frame.branch.isBehind()) return pass(step, {});
  const judgement = judgeStep(step);
  switch (judgement.kind) {
    case "denied":
      return stop(judgement.refusal);
    case "allowed":
      return edited === undefined ? wait(undefined) : requestAgain(step, edited, { editors });
    case "asked":
      // An approval covers it, so no person is asked again when its turn comes.
      return edited === undefined && findUsable(step, judgement) !== undefined
        ? wait(undefined)
        : requestApproval(step, judgement.ask, { ...judgement, editors });
  }
}

/**
 * Judges an action right before its claim. No wait may come between this and the claim: otherwise
 * two parallel actions would both be judged before either's spending counts.
 */
export function judgeClaim(step: Step, superseded: EventOf<"action.claimed"> | undefined): Passage {
  const { passed, approved } = step;
  // An action that was claimed before the grant expired goes on.
  const judgement =
    superseded === undefined
      ? judgeStep(step)
      : step.authority.judge(step.action, superseded.content.reserve);
  if (judgement.kind === "denied") return stop(judgement.refusal);
  // All required approvals are there.
  if (approved !== undefined || superseded !== undefined) return pass(step, passed);
  if (judgement.kind === "allowed") return pass(step, { ...passed, ...judgement.facts });
  const said = { ...judgement, editors: [] };
  const usable = findUsable(step, judgement);
  const asking = describeRequest(step, judgement.ask, said);
  if (usable === undefined || asking.kind === "refused")
    return requestApproval(step, judgement.ask, said);
  const { facts, ...byOthers } = usable;
  return pass(
    { ...step, approved: { ...byOthers, describeLate: asking.describe } },
    { ...passed, ...judgement.facts, ...facts },
  );
}

/** The approval of a plan, or one that stands, that covers the action and can still be used. */
function findUsable(
  step: Step,
  { ask, facts }: Extract<Judgement, { kind: "asked" }>,
): PlanApproval | StandingUse | undefined {
  const found = findPlanApproval(step, ask) ?? findStanding(step, ask, facts);
  if (found === undefined) return undefined;
  const ends = listExpiries(step).map(({ expiresAt }) => Date.parse(expiresAt) - 1);
  const useByMs = Math.min(found.useByMs, ...ends);
  return nowOf(step) <= useByMs ? { ...found, useByMs } : undefined;
}

function expire(requested: Requested, step: Step): Passage {
  step.appender.push(() => describeExpiry(requested, step));
  return stop(refuseExpired(step));
}

/** The event that says so. */
export function describeExpiry(
  { sequence, hash }: Requested,
  step: Step,
): EventDraft<"approval.expired"> {
  const content = { key: step.key, approval: sequence, hash };
  return { ...ownerOf(step), type: "approval.expired", content };
}

export function refuseExpired(step: Step): Failed {
  return refuse(step, "was not approved in time", "approval-expired");
}

/**
 * The failure goes to the caller of the action, or ends the turn: the rule decides. It carries the
 * words of the person.
 */
async function refuseRejected(
  step: Step,
  isTold: boolean,
  rejected: Decided | undefined,
): Promise<Failed> {
  const refusal = refuse(step, "was not approved", isTold ? DECLINED : "approval-rejected");
  const reference = rejected?.content.reason;
  const words = reference === undefined ? undefined : await step.appender.content.read(reference);
  return typeof words === "string" ? { ...refusal, reason: cutReason(words) } : refusal;
}
