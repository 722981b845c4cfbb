/**
 * What stands between an action and its claim (spec/approval.md).
 *
 * 1. What the record says was decided then is not decided again: a resume and a replay pass as the
 *    first attempt did.
 * 2. Only what is about to happen is judged, by the rules of the run and by the denials of today's.
 * 3. An approval is for one action: the digest of the action is compared with it here, at the edge,
 *    and the claim that follows uses it up.
 */
import { type BlobRef, type JsonObject, judgeApproval, type LoopEvent } from "@turnseal/protocol";
import { type Failed, fail } from "../outcome.ts";
import type { EventDraft } from "./appender.ts";
import type { AskTerms, Judgement } from "./judgement.ts";
import { drifted } from "./recorded-turn.ts";
import { beNew, type Ended, ended, ownerOf, type Step, wasLeftBehind } from "./step.ts";

export type Passage =
  /** It may be claimed: `step` is what was let through, and `facts` is what the claim records. */
  | { readonly kind: "passed"; readonly step: Step; readonly facts: JsonObject }
  | { readonly kind: "stopped"; readonly ended: Ended };

/** UTF-16 units of what a request says about undoing. */
export const UNDO_LENGTH_MAX = 512;

/** Lets an action through, asks for it, or refuses it. */
export async function passGate(step: Step): Promise<Passage> {
  const { recorded, frame, key } = step;
  const rounds = groupByRequest(recorded.takeAsked(frame.call, key));
  let current = step;
  for (const [index, round] of rounds.entries()) {
    const passage = await passRound(round, current, index === rounds.length - 1);
    if (passage.kind !== "edited") return passage;
    current = passage.step;
  }
  // Its claim is recorded, so it was let through then.
  if (rounds.length === 0 && recorded.hasMore(frame.call)) return pass(step, {});
  // What a person made of it was refused then: the record says how.
  if (recorded.refusalOf(frame.call) !== undefined) return pass(current, {});
  return judgeNew(current, rounds.at(-1)?.requested);
}

/** A request for approval, and what was said to it. */
interface Round {
  readonly requested: LoopEvent;
  readonly said: readonly LoopEvent[];
}

function groupByRequest(events: readonly LoopEvent[]): Round[] {
  const rounds: { requested: LoopEvent; said: LoopEvent[] }[] = [];
  for (const event of events) {
    if (event.type === "approval.requested") rounds.push({ requested: event, said: [] });
    else rounds.at(-1)?.said.push(event);
  }
  return rounds;
}

type RoundPassage = Passage | { readonly kind: "edited"; readonly step: Step };

async function passRound(
  { requested, said }: Round,
  step: Step,
  isLast: boolean,
): Promise<RoundPassage> {
  const { content, sequence } = requested;
  if (content["digest"] !== step.asked.digest)
    throw drifted(`event ${sequence} asks for another action than the code now wants`);
  if (said.some(({ type }) => type === "approval.expired")) return stop(refuseExpired(step));
  const state = judgeApproval(requested, said);
  switch (state.kind) {
    case "rejected":
      return stop(refuseRejected(step, content["onReject"] === "tell"));
    case "edited":
      return reviseStep(step, state.by.at(-1));
    case "pending":
      // What was asked for again without an answer was not waited for.
      return isLast ? waitForDecision(requested, step) : stop(refuseExpired(step));
    case "approved":
      return passApproved(requested, step, String(state.by.at(-1)?.content["receivedAt"]));
  }
}

/** The person wants other arguments: they make another action, which is asked for anew. */
async function reviseStep(step: Step, decided: LoopEvent | undefined): Promise<RoundPassage> {
  const reference = decided?.content["arguments"] as BlobRef | undefined;
  const edited = reference === undefined ? undefined : await step.appender.content.read(reference);
  const revised = edited === undefined ? undefined : step.action.revise?.(edited);
  return revised?.kind === "ok"
    ? { kind: "edited", step: step.restate(revised.value) }
    : stop(refuse(step, "cannot be asked for so", "edit-refused"));
}

async function waitForDecision(requested: LoopEvent, step: Step): Promise<Passage> {
  const decideByMs = Date.parse(String(requested.content["decideBy"]));
  const isOpen = nowOf(step) <= decideByMs && !step.frame.isCancelled();
  if (isOpen || (await wasLeftBehind(step))) return wait(decideByMs + 1);
  if (step.frame.isCancelled()) return stop(fail("CANCELLED", "the call was cancelled"));
  if (!(await beNew(step))) return wait(undefined);
  return expire(requested, step);
}

/** Approved in time, it must also be used in time, and still be allowed. */
async function passApproved(
  requested: LoopEvent,
  step: Step,
  approvedAt: string,
): Promise<Passage> {
  const { recorded, frame } = step;
  const { sequence, content } = requested;
  const { rule, role, policy } = content;
  const facts = {
    approval: sequence,
    ...(rule === undefined ? {} : { rule }),
    ...(role === undefined ? {} : { role }),
    ...(policy === undefined ? {} : { policy }),
  };
  if (recorded.hasMore(frame.call)) return pass(step, facts);
  if (!(await beNew(step))) return wait(undefined);
  // A tool before it in line is not done yet.
  if (frame.branch.isBehind()) return wait(undefined);
  const judgement = judge(step);
  if (judgement.kind === "denied") return stop(judgement.refusal);
  // Whether it is in time is decided by the time of the claim itself. An approval does not outlive
  // what it was given under.
  const ends = listExpiries(step).map(({ expiresAt }) => Date.parse(expiresAt) - 1);
  const useByMs = Math.min(Date.parse(approvedAt) + Number(content["useWithinMs"]), ...ends);
  return pass({ ...step, approved: { requested, useByMs } }, facts);
}

/** Judges what nobody has judged yet. What was asked for and edited is asked for again. */
async function judgeNew(step: Step, edited: LoopEvent | undefined): Promise<Passage> {
  if (!(await beNew(step))) return wait(undefined);
  if (step.frame.isCancelled()) return stop(fail("CANCELLED", "the call was cancelled"));
  const judgement = judge(step);
  switch (judgement.kind) {
    case "denied":
      return stop(judgement.refusal);
    case "allowed":
      if (edited !== undefined) return requestAgain(step, edited);
      return step.frame.branch.isBehind() ? wait(undefined) : pass(step, judgement.facts);
    case "asked":
      return requestApproval(step, judgement.ask, judgement);
  }
}

/** What the grant allowed when it was asked for may have run out by now. */
function judge(step: Step): Judgement {
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
function listExpiries({ frame: { grant }, action: { judged, facts } }: Step): Expiry[] {
  if (judged === undefined) return [];
  const named = facts["terms"];
  const used = (grant?.terms ?? []).filter(({ id }) => Array.isArray(named) && named.includes(id));
  return [
    ...endOf(grant?.expiresAt, "grant-expired"),
    ...used.flatMap(({ expiresAt }) => endOf(expiresAt, "term-expired")),
  ];
}

function endOf(expiresAt: string | undefined, denial: Expiry["denial"]): Expiry[] {
  return expiresAt === undefined ? [] : [{ expiresAt, denial }];
}

/** Rules that would allow what a person made of it do not take the decision from people. */
function requestAgain(step: Step, { at, content }: LoopEvent): Passage {
  const { role, approvers, useWithinMs, onReject, decideBy, rule, policy } = content;
  const ask: AskTerms = {
    ...(typeof role === "string" ? { role } : {}),
    approvers: Number(approvers),
    decideWithinMs: Date.parse(String(decideBy)) - Date.parse(at),
    useWithinMs: Number(useWithinMs),
    onReject: onReject === "tell" ? "tell" : "stop",
  };
  const facts = {
    ...(rule === undefined ? {} : { rule }),
    ...(policy === undefined ? {} : { policy }),
  };
  return requestApproval(step, ask, { facts });
}

type Said = Pick<Extract<Judgement, { kind: "asked" }>, "facts" | "description">;

function requestApproval(step: Step, ask: AskTerms, { facts, description }: Said): Passage {
  const { action, asked, appender, key } = step;
  const { approvers, decideWithinMs, useWithinMs, onReject, role } = ask;
  const requested = appender.push((nowMs) => ({
    ...ownerOf(step),
    type: "approval.requested",
    content: {
      key,
      action: action.kind,
      loop: action.judged?.loop ?? "",
      version: action.judged?.tool.version ?? "",
      ...action.facts,
      ...asked.facts,
      ...facts,
      digest: asked.digest,
      grant: step.grantDigest(),
      effect: action.effect,
      ...(action.undo === undefined
        ? {}
        : { undo: action.undo.slice(0, UNDO_LENGTH_MAX).toWellFormed() }),
      reserve: action.reserve(),
      approvers,
      ...(role === undefined ? {} : { role }),
      onReject,
      decideBy: new Date(nowMs + decideWithinMs).toISOString(),
      useWithinMs,
    },
    ...(description === undefined ? {} : { attached: { description } }),
    blobs: asked.blobs,
  }));
  return wait(Date.parse(String(requested.content["decideBy"])) + 1);
}

function expire(requested: LoopEvent, step: Step): Passage {
  step.appender.push(() => describeExpiry(requested, step));
  return stop(refuseExpired(step));
}

/** The event that says so. */
export function describeExpiry({ sequence, hash }: LoopEvent, step: Step): EventDraft {
  const content = { key: step.key, approval: sequence, hash };
  return { ...ownerOf(step), type: "approval.expired", content };
}

export function refuseExpired(step: Step): Failed {
  return refuse(step, "was not approved in time", "approval-expired");
}

/** Told to whoever asked for the action, or the end of the turn: as the rule has it. */
function refuseRejected(step: Step, isTold: boolean): Failed {
  return refuse(step, "was not approved", isTold ? "approval-declined" : "approval-rejected");
}

function refuse({ action }: Step, words: string, denial: string): Failed {
  return fail("POLICY_DENIED", `${action.name} ${words}`, { denial });
}

/** Time as the log has it: it never goes back. */
function nowOf({ clock, appender }: Step): number {
  return Math.max(clock.now(), appender.lastMs());
}

function pass(step: Step, facts: JsonObject): Passage {
  return { kind: "passed", step, facts };
}

function stop(refusal: Failed): Passage {
  return { kind: "stopped", ended: ended(refusal) };
}

/** Without a time it stands behind another in line, and waits for nothing of its own. */
function wait(untilMs: number | undefined): Passage {
  const until = untilMs === undefined ? {} : { untilMs, isAsked: true };
  return { kind: "stopped", ended: ended({ kind: "paused", ...until }) };
}
