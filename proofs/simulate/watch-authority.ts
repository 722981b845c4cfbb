/**
 * A second opinion on authority: every action is within the run's grant and the rules, and approved
 * where they ask. It follows from the drawn scenario and its messages, and not from the runtime.
 */
import { canonicalize, type EventOf, type JsonObject, type LoopEvent } from "@turnseal/protocol";
import type { Act } from "./act.ts";
import { answerEvents } from "./answer-events.ts";
import type { Attempt } from "./attempt.ts";
import { countAnswers } from "./count-answers.ts";
import type { Promises } from "./fault.ts";
import { FENCED, LEDGER_CENTS_BELOW, NARROWED } from "./loops.ts";
import { type AskingEvent, approvalOf, choiceOf, type WordEvent } from "./read-word.ts";
import { type AskTerms, consult, type SimulatedPolicy } from "./rules.ts";
import type { Said } from "./said.ts";
import type { Tally } from "./tally.ts";
import { type CallWatch, watchCalls } from "./watch-calls.ts";
import { watchSpending } from "./watch-spending.ts";
import { watchTrigger } from "./watch-trigger.ts";

/** The grant of a run. */
export interface Entitlement {
  readonly tools: readonly string[];
  readonly mayBook: boolean;
  /** Cents of one payment. */
  readonly centsMax: number;
  readonly expiresMs: number;
  readonly rules: SimulatedPolicy | undefined;
  /** The tools for a step of the loop `loaned`. */
  readonly allowed: readonly string[];
  /** Cents that the runs above had committed when it was handed to. */
  readonly centsBefore: number;
  /** The people who set it going. */
  readonly starters: readonly string[];
}

export interface AuthorityWatch {
  onEvent(event: LoopEvent, by: Attempt): void;
  onAct(act: Act): void;
  /** The people who set the present turn going. */
  starters(): readonly string[];
  /** Of a claim. */
  centsBefore(claim: number): number;
}

interface WatchOptions {
  readonly run: string;
  readonly given: Entitlement;
  /** Everything that people said to this run. */
  readonly said: readonly Said[];
  /** Who sent each signal, by run and key. */
  readonly notes: ReadonlyMap<string, string>;
  readonly promises: Promises;
  readonly tally: Tally;
}

interface Claim {
  /** The first claim of the key: claims that replace it were admitted with it. */
  readonly first: EventOf<"action.claimed">;
  readonly latest: EventOf<"action.claimed">;
  /** What the run had committed before the first. */
  readonly spentCents: number;
  readonly today: SimulatedPolicy | undefined;
}

interface Request {
  readonly event: AskingEvent;
  /** What the run had committed before it. */
  readonly spentCents: number;
  /** The people who had set its turn going. */
  readonly starters: readonly string[];
  readonly decided: WordEvent[];
}

const IGNORED = [
  ...["run.started", "run.decided", "run.blocked", "run.stopped", "run.resolved", "turn.started"],
  ...["turn.denied", "turn.resumed", "turn.waiting", "turn.closed", "call.started", "plan.decided"],
  ...["call.input.validated", "call.output.validated", "call.completed", "call.errored", "log"],
  ...["child.started", "child.completed", "action.settled", "action.unknown", "action.resolved"],
  ...["plan.closed", "artifact.adopted", "plan.proposed", "cache.hit"],
  ...["signal.received", "approval.expired", "note.added", "note.expired", "drift.reconciled"],
  ...["fanout.fixed", "item.closed", "step.retried", "step.skipped", "group.closed"],
] as const;

export function watchAuthority(options: WatchOptions): AuthorityWatch {
  const { promises, tally, given } = options;
  const claims = new Map<string, Claim>();
  const requests = new Map<number, Request>();
  const used = new Set<number>();
  const calls = watchCalls(promises);
  const spending = watchSpending(given.centsBefore);
  const trigger = watchTrigger(options);
  const count = countAnswers(tally);
  const starters = (): string[] => [...given.starters, ...trigger.person()];
  const onClaim = (event: EventOf<"action.claimed">, by: Attempt): void => {
    const { content, sequence } = event;
    const { key } = content;
    const isAgain = content.action === "tool" && content.supersedes !== undefined;
    const before = isAgain ? claims.get(key) : undefined;
    const { first = event, spentCents = spending.cents() } = before ?? {};
    claims.set(key, { first, spentCents, latest: event, today: by.today });
    const approval = approvalOf(event);
    if (before !== undefined || approval === undefined) return;
    promises.hold(!used.has(approval), `I5: claim ${sequence} uses an approval a second time`);
    used.add(approval);
    tally.count("answer used approval");
  };
  const onAsked = (event: AskingEvent): void => {
    const place = { spentCents: spending.cents(), starters: starters() };
    requests.set(event.sequence, { event, ...place, decided: [] });
  };
  const onWord = (event: WordEvent, about: number): void => {
    const request = promises.need(requests.get(about), `word ${event.sequence} answers nothing`);
    checkWord(event, request, options);
    request.decided.push(event);
  };
  const follow = answerEvents<(typeof IGNORED)[number], [by: Attempt]>(IGNORED, {
    "action.claimed": onClaim,
    "approval.requested": onAsked,
    "question.asked": onAsked,
    "approval.decided": (event) => onWord(event, event.content.approval),
    "question.answered": (event) => onWord(event, event.content.question),
  });
  return {
    starters,
    centsBefore: (claim) => promises.need(spending.before(claim), `${claim} is no claim`),
    onEvent: (event, by) => {
      calls.onEvent(event);
      trigger.onEvent(event);
      count(event);
      follow(event, by);
      spending.onEvent(event);
    },
    onAct: (act) => {
      const claim = promises.need(claims.get(act.key), `${act.tool} acts without a claim`);
      const { latest, first, today, spentCents } = claim;
      const isFresh = first === latest;
      promises.hold(
        !isFresh || Date.parse(first.at) < given.expiresMs,
        `I5: ${act.tool} is claimed under a grant that has expired`,
      );
      checkGiven(act, latest, calls, options);
      const isDeniedToday = consult(today, act.tool, { ...act, spentCents }).kind === "deny";
      promises.hold(!isDeniedToday, `I5: ${act.tool} acts, and today's rules deny it`);
      checkRules(act, claim, requests, options);
    },
  };
}

/** The tool must be within its call's grant. */
function checkGiven(
  { tool, args }: Act,
  { call }: EventOf<"action.claimed">,
  calls: CallWatch,
  { given, promises }: WatchOptions,
): void {
  const cents = (args as JsonObject)["cents"];
  let { tools, mayBook } = given;
  for (const { loop, step } of calls.placesOf(call)) {
    const narrowed = NARROWED[`${loop} ${step}`];
    if (narrowed === undefined) continue;
    const wanted = narrowed === "fenced" ? FENCED : given.allowed;
    // A request for more than the caller has is refused as a whole.
    tools = wanted.every((name) => tools.includes(name)) ? wanted : [];
    mayBook = false;
  }
  if (tool === "turnseal.handoff") return;
  promises.hold(tools.includes(tool), `I5: ${tool} acts and was not given to its call`);
  if (tool === "local.book") {
    const isWithin = mayBook && typeof cents === "number" && cents < LEDGER_CENTS_BELOW;
    promises.hold(isWithin, "I5: a booking is outside its term");
  }
  if (tool === "local.pay" || tool === "local.give")
    promises.hold(Number(cents ?? 0) <= given.centsMax, "I5: a payment is above its cap");
}

function checkRules(
  act: Act,
  { first: claim, spentCents }: Claim,
  requests: ReadonlyMap<number, Request>,
  options: WatchOptions,
): void {
  const { promises, given, tally } = options;
  const atClaim = consult(given.rules, act.tool, { ...act, spentCents });
  promises.hold(atClaim.kind !== "deny", `I5: ${act.tool} acts, and the rules deny it`);
  const approval = approvalOf(claim);
  if (atClaim.kind !== "ask" && approval === undefined) return;
  const request = promises.need(
    requests.get(approval ?? 0),
    `I5: ${act.tool} acts, and nobody was asked`,
  );
  // A request has the terms that the rules gave at that time.
  const verdict = consult(given.rules, act.tool, { ...act, spentCents: request.spentCents });
  if (verdict.kind === "ask" && verdict.terms.id === "ask-total") tally.count("answer total asked");
  const isOwn = request.event.content.key === act.key;
  promises.hold(isOwn, `I5: ${act.tool} acts with the approval of another action`);
  const rule = request.event.type === "approval.requested" ? request.event.content.rule : undefined;
  const asked = given.rules?.policy.rules.find(({ id }) => id === rule?.id);
  const terms = verdict.kind === "ask" ? verdict.terms : (asked as unknown as AskTerms);
  const { exclude = [] } = verdict.kind === "ask" ? verdict : terms;
  const excluded = new Set([
    ...(exclude.includes("starter") ? request.starters : []),
    ...(exclude.includes("editor") ? listEditors(request, requests) : []),
  ]);
  checkApproval(act, { claim, terms, request, excluded }, options);
}

/** Those who made the action what it is now. */
function listEditors({ event }: Request, requests: ReadonlyMap<number, Request>): string[] {
  return [...requests.values()]
    .filter((other) => other.event.content.key === event.content.key)
    .flatMap(({ decided }) => decided)
    .flatMap((word) => (choiceOf(word) === "edit" ? [word.actor.id] : []));
}

interface Approval {
  readonly claim: EventOf<"action.claimed">;
  readonly terms: AskTerms;
  readonly request: Request;
  /** Those who may not approve it. */
  readonly excluded: ReadonlySet<string>;
}

/**
 * Enough people of the right role said yes to these very arguments, in time, and in time for use.
 */
function checkApproval(
  { tool, args, shown: view = args }: Act,
  { claim, terms, request: { event, decided }, excluded }: Approval,
  { run, said, promises }: WatchOptions,
): void {
  const shown = canonicalize(view);
  const decideByMs = Date.parse(event.at) + terms.decideWithinMs;
  const before = decided.filter(({ sequence }) => sequence < claim.sequence);
  const isRefused = before.some((word) => choiceOf(word) !== "approve");
  promises.hold(!isRefused, `I5: ${tool} acts though somebody did not approve it`);
  const people = new Map<string, number>();
  for (const { actor, content } of before) {
    const word = said.find(
      ({ run: told, about, by, choice, receivedAt }) =>
        told === run &&
        about === event.hash &&
        by.id === actor.id &&
        choice === "approve" &&
        receivedAt === content.receivedAt,
    );
    const counts =
      word !== undefined &&
      word.by.id !== "" &&
      !excluded.has(word.by.id) &&
      word.shown === shown &&
      (terms.role === undefined || word.by.roles.includes(terms.role)) &&
      Date.parse(word.receivedAt) <= decideByMs;
    if (counts) people.set(word.by.id, Date.parse(word.receivedAt));
    if (people.size === terms.approvers) break;
  }
  const isEnough = people.size >= terms.approvers;
  promises.hold(isEnough, `I5: ${tool} acts, approved by ${people.size} of ${terms.approvers}`);
  const useByMs = ([...people.values()].at(-1) ?? 0) + terms.useWithinMs;
  const isInTime = Date.parse(claim.at) <= useByMs;
  promises.hold(isInTime, `I5: ${tool} acts with an approval that may not be used any more`);
}

/**
 * Checks that a recorded message was really sent, by a person with the right to, and fits its
 * request.
 */
function checkWord(
  event: WordEvent,
  request: Request,
  { run, said, promises }: WatchOptions,
): void {
  const { sequence, type, actor, content } = event;
  const { role, decideBy } = request.event.content;
  const words = said.filter(
    ({ run: told, about, by, receivedAt, choice }) =>
      told === run &&
      about === request.event.hash &&
      by.id === actor.id &&
      receivedAt === content.receivedAt &&
      choice === choiceOf(event),
  );
  const isSaid = words.some(
    ({ by, receivedAt }) =>
      (role === undefined || by.roles.includes(role)) &&
      (decideBy === undefined || receivedAt <= decideBy),
  );
  promises.hold(isSaid, `I5: ${type} ${sequence} is nobody's word, or not one that counts`);
  const isFit = words.some(({ fits }) => fits);
  promises.hold(isFit, `I5: ${type} ${sequence} does not fit what was asked`);
  const again = request.decided.some((earlier) => earlier.actor.id === actor.id);
  promises.hold(!again, `I5: ${type} ${sequence} counts a person twice`);
}
