/**
 * What stands between an action and its claim (spec/approval.md).
 *
 * 1. What the record says was decided then is not decided again: a resume and a replay pass as the
 *    first attempt did.
 * 2. Only what is about to happen is judged, by the rules of the run and by the denials of today's:
 *    in the tick of its claim, so that it sees all that was claimed before it. What stands in line
 *    behind another is judged once more, only to learn whether a person has to be asked.
 * 3. An approval is for one action: the digest of the action is compared with it here, at the edge,
 *    and the claim that follows uses it up. A plan's is one for each of its steps, where the rule
 *    that asks says so.
 */
import { DECLINED, type EventOf, judgeApproval } from "@turnseal/protocol";
import type { EventDraft } from "../log/appender.ts";
import { type Failed, fail } from "../outcome.ts";
import { beNew, wasLeftBehind } from "../resume/be-new.ts";
import { recordedAt } from "../resume/frame.ts";
import { type AskedEvent, drifted } from "../resume/recorded-turn.ts";
import { codeOf } from "../step/code-of.ts";
import type { AskTerms, Judgement } from "../step/judgement.ts";
import { ownerOf, type Step } from "../step/step.ts";
import { findPlanApproval, type PlanApproval } from "./find-plan-approval.ts";
import { type Passage, pass, refuse, stop, wait } from "./passage.ts";
import { describeRequest, requestAgain, requestApproval } from "./request-approval.ts";
import { listTermsUsed } from "./terms-used.ts";

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
  // Its claim is recorded, so it was let through then.
  if (rounds.length === 0 && recorded.hasMore(call, item)) return pass(step, {});
  // What a person made of it was refused then: the record says how.
  if (recorded.refusalOf(call, item) !== undefined) return pass(current, {});
  return passNew(current, { edited: rounds.at(-1)?.requested, editors });
}

type Requested = EventOf<"approval.requested">;

/** A request for approval, and what was said to it. */
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
  /** It was approved, and asked for anew before it was used. */
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
  // What asked was told to stop: nothing follows from it.
  if (expired?.content.because === "withdrawn") return wait(undefined);
  if (expired !== undefined) return stop(refuseExpired(step));
  const state = judgeApproval(requested, said.filter(isDecision));
  switch (state.kind) {
    case "rejected":
      return stop(refuseRejected(step, content.onReject === "tell"));
    case "edited":
      return reviseStep(step, state.by.at(-1));
    case "pending":
      // What was asked for again without an answer was not waited for.
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

/** The person wants other arguments: they make another action, which is asked for anew. */
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
  if (!(await beNew(step)) || step.frame.branch.isStopped()) return wait(undefined);
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
  if (!(await beNew(step))) return wait(undefined);
  // A tool before it in line is not done yet.
  if (frame.branch.isBehind()) return wait(undefined);
  // Whoever said yes has said so to the code that was there.
  if (codeOf(content) !== codeOf(step.action.facts)) return askAnew(requested, step, editors);
  // Whether it is in time is decided by the time of the claim itself. An approval does not outlive
  // what it was given under.
  const ends = listExpiries(step).map(({ expiresAt }) => Date.parse(expiresAt) - 1);
  const useByMs = Math.min(Date.parse(approvedAt) + content.useWithinMs, ...ends);
  return pass({ ...step, approved: { requested, useByMs } }, facts);
}

/** The tool has other code than the one that was approved: people are asked for that one. */
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

/** What was asked for and edited: the last request, and the people who edited it. */
interface Edits {
  readonly edited: Requested | undefined;
  readonly editors: readonly string[];
}

/**
 * Lets through what is next, to be judged with its claim. What stands behind another may only ask,
 * and what was asked for and edited is asked for again.
 */
async function passNew(step: Step, { edited, editors }: Edits): Promise<Passage> {
  if (!(await beNew(step))) return wait(undefined);
  if (step.frame.isCancelled()) return stop(fail("CANCELLED", "the call was cancelled"));
  if (edited === undefined && !step.frame.branch.isBehind()) return pass(step, {});
  const judgement = judgeStep(step);
  switch (judgement.kind) {
    case "denied":
      return stop(judgement.refusal);
    case "allowed":
      return edited === undefined ? wait(undefined) : requestAgain(step, edited, { editors });
    case "asked":
      // Who said yes to the plan is not asked again, when its turn comes.
      return edited === undefined && findUsable(step, judgement.ask) !== undefined
        ? wait(undefined)
        : requestApproval(step, judgement.ask, { ...judgement, editors });
  }
}

/**
 * Judges what is about to be claimed. Nothing may be waited for between this and the claim, or two
 * that act at once would both be judged by what neither had spent.
 */
export function judgeClaim(step: Step, superseded: EventOf<"action.claimed"> | undefined): Passage {
  const { passed, approved } = step;
  // What was claimed before the grant ran out goes on.
  const judgement =
    superseded === undefined
      ? judgeStep(step)
      : step.judge(step.action, superseded.content.reserve);
  if (judgement.kind === "denied") return stop(judgement.refusal);
  // Whoever had to be asked has said yes.
  if (approved !== undefined || superseded !== undefined) return pass(step, passed);
  if (judgement.kind === "allowed") return pass(step, { ...passed, ...judgement.facts });
  const said = { ...judgement, editors: [] };
  const usable = findUsable(step, judgement.ask);
  const asking = describeRequest(step, judgement.ask, said);
  if (usable === undefined || asking.kind === "refused")
    return requestApproval(step, judgement.ask, said);
  const facts = { ...passed, ...judgement.facts, ...usable.facts };
  return pass({ ...step, approved: { ...usable, describeRequest: asking.describe } }, facts);
}

/** The approval of a plan that is enough for the action, and can still be used. */
function findUsable(step: Step, ask: AskTerms): PlanApproval | undefined {
  const found = findPlanApproval(step, ask);
  if (found === undefined) return undefined;
  const ends = listExpiries(step).map(({ expiresAt }) => Date.parse(expiresAt) - 1);
  const useByMs = Math.min(found.useByMs, ...ends);
  return nowOf(step) <= useByMs ? { ...found, useByMs } : undefined;
}

/** What an action is judged by. */
export type JudgedStep = Pick<Step, "frame" | "action" | "clock" | "appender" | "judge">;

/** What the grant allowed when it was asked for may have run out by now. */
export function judgeStep(step: JudgedStep): Judgement {
  const isOut = ({ expiresAt }: Expiry): boolean => !(nowOf(step) < Date.parse(expiresAt));
  const ended = listExpiries(step).find(isOut);
  if (ended !== undefined)
    return { kind: "denied", refusal: refuse(step, "is granted no more", ended.denial) };
  return step.judge(step.action);
}

interface Expiry {
  readonly expiresAt: string;
  readonly denial: "grant-expired" | "term-expired";
}

/** When the grant ends that the action is under, and the terms of it that the action needs. */
function listExpiries(step: JudgedStep): Expiry[] {
  if (step.action.judged === undefined) return [];
  return [
    ...endOf(step.frame.grant?.expiresAt, "grant-expired"),
    ...listTermsUsed(step).flatMap(({ expiresAt }) => endOf(expiresAt, "term-expired")),
  ];
}

function endOf(expiresAt: string | undefined, denial: Expiry["denial"]): Expiry[] {
  return expiresAt === undefined ? [] : [{ expiresAt, denial }];
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

/** Told to whoever asked for the action, or the end of the turn: as the rule has it. */
function refuseRejected(step: Step, isTold: boolean): Failed {
  return refuse(step, "was not approved", isTold ? DECLINED : "approval-rejected");
}

/** Time as the log has it: it never goes back. */
function nowOf({ clock, appender }: JudgedStep): number {
  return Math.max(clock.now(), appender.lastMs());
}
