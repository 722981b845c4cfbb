/** The one place where the state of a run changes. */

import {
  type ContentOf,
  describeTrigger,
  EMPTY_HEAD,
  type EventOf,
  foldSpending,
  isVendorEvent,
  type LoopEvent,
  NO_SPENDING,
  type TurnOutcome,
  unreachable,
} from "@turnseal/protocol";
import { applyToNotes, type NotesByScope } from "../notes/scope-notes.ts";
import type { ThreadMarks } from "../thread/thread-mark.ts";
import { applyChanges } from "./apply-changes.ts";
import { applyToTurn } from "./apply-to-turn.ts";
import { decideAwaited, isAwaited, receiveAwaited } from "./awaited-signals.ts";
import { liftQuarantine } from "./find-quarantined.ts";
import { hearSignal, takeHeard } from "./open-waits.ts";
import { endAsOutage } from "./outage.ts";
import {
  type ClosedTurn,
  type OpenTurn,
  type RunProjection,
  SIGNAL_NAMES_MAX,
} from "./run-projection.ts";
import { foldStanding } from "./standing-approvals.ts";
import { noteLateWord, noteUnknownEnds } from "./unknown-ends.ts";

/** The state of a run before its first event. */
export function emptyProjection(run: string): RunProjection {
  return {
    run,
    ...EMPTY_HEAD,
    lastAt: new Date(0).toISOString(),
    spec: null,
    input: null,
    guidance: null,
    policy: null,
    startedAt: null,
    startedBy: null,
    trigger: null,
    turns: 0,
    failures: 0,
    openTurn: null,
    lastTurn: null,
    lastReceipt: null,
    spending: NO_SPENDING,
    isCancelled: false,
    signals: {},
    awaited: null,
    threads: {},
    notes: {},
    stopped: null,
    blocked: null,
  };
}

/** The state after one more event. */
export function applyEvent(before: RunProjection, event: LoopEvent): RunProjection {
  const standing = foldStanding(before.standing, before.openTurn, event);
  const run: RunProjection = {
    ...{ ...before, sequence: event.sequence, hash: event.hash, lastAt: event.at },
    spending: foldSpending(before.spending, event),
    ...(standing === undefined ? {} : { standing }),
    openTurn: noteInTurn(applyToTurn(before.openTurn, event), before.notes, event),
  };
  return event.type === "group.closed" ? run : applyToRun(run, event, before);
}

type OfRun = Exclude<LoopEvent, EventOf<"group.closed">>;

function applyToRun(run: RunProjection, event: OfRun, before: RunProjection): RunProjection {
  switch (event.type) {
    case "run.started":
      return startRun(run, event);
    case "run.decided":
      return decideRun(run, event);
    case "run.blocked":
      // A further block by a worker that lacks something else keeps the time of the first.
      return { ...run, blocked: { ...event.content, at: run.blocked?.at ?? event.at } };
    case "run.stopped":
      return { ...run, blocked: null, stopped: event.content.reason, stoppedAt: event.at };
    case "run.resolved":
      return noteLateWord(run, event);
    case "turn.started":
    case "turn.resumed":
      return { ...run, blocked: null };
    case "signal.received":
      return isAwaited(run, event)
        ? { ...wakeBySignal(run), awaited: receiveAwaited(run.awaited, event) }
        : applySignal(run, event);
    case "question.answered": {
      const { question } = event.content;
      const answered = before.openTurn?.waits?.find(({ sequence: asked }) => asked === question);
      return takeHeard(run, event.content, answered);
    }
    case "turn.closed":
      return closeTurn(run, before.openTurn, event);
    case "action.settled":
    case "drift.reconciled":
    case "artifact.adopted":
      return noteArtifacts(run, event);
    case "turn.denied":
    case "turn.waiting":
    case "call.started":
    case "call.input.validated":
    case "call.output.validated":
    case "call.completed":
    case "call.errored":
    case "child.started":
    case "child.completed":
    case "fanout.fixed":
    case "item.closed":
    case "step.retried":
    case "step.skipped":
    case "action.claimed":
    case "action.unknown":
    case "action.resolved":
    case "cache.hit":
    case "approval.requested":
    case "approval.decided":
    case "approval.expired":
    case "question.asked":
    case "plan.proposed":
    case "plan.decided":
    case "plan.closed":
    case "note.added":
    case "note.expired":
    case "log":
      // Events in a turn change only the open turn.
      return run;
    default:
      return isVendorEvent(event) ? run : unreachable(event);
  }
}

/** Updates the managed files, if the event changed them. */
function noteArtifacts(
  run: RunProjection,
  { content }: EventOf<"action.settled" | "drift.reconciled" | "artifact.adopted">,
): RunProjection {
  const { artifacts } = "artifacts" in content ? content : {};
  if (artifacts === undefined) return run;
  return { ...run, artifacts: applyChanges(run.artifacts, artifacts) };
}

function decideRun(run: RunProjection, { content }: EventOf<"run.decided">): RunProjection {
  const lastReceipt = content.receipt ?? run.lastReceipt;
  const lastTurn = decideTurn(run.lastTurn, content);
  return decideAwaited({ ...run, lastReceipt, lastTurn }, content);
}

function startRun(run: RunProjection, event: EventOf<"run.started">): RunProjection {
  const { spec, input, guidance = null, policy = null, threads: given = [] } = event.content;
  const { definitions } = event.content;
  const { at, actor, sequence: since } = event;
  const trigger = describeTrigger(event);
  const threads = Object.fromEntries(given.map(({ thread, head }) => [thread, { head, since }]));
  return {
    ...run,
    spec,
    input,
    guidance,
    ...(definitions === undefined ? {} : { definitions }),
    policy,
    startedAt: at,
    startedBy: actor,
    trigger,
    threads,
  };
}

/** A decision to wait leaves the next one open. */
function decideTurn(
  last: ClosedTurn | null,
  { decision, reason }: ContentOf<"run.decided">,
): ClosedTurn | null {
  if (last === null) return null;
  if (decision !== "wait") return { ...last, isDecided: true };
  const isWaited = reason === "provider-awaited" && last.outage !== undefined;
  return isWaited ? { ...last, outage: { ...last.outage, isWaited } } : last;
}

/**
 * Wakes a run that waits for its provider. Where the next turn would repeat actions, the signal
 * only waits for it.
 */
function wakeBySignal(run: RunProjection): RunProjection {
  return run.lastTurn?.outage?.repeats === undefined ? askAgain(run) : run;
}

/** Marks that somebody wants the run to go on, for any reason of the wait. */
function askAgain(run: RunProjection): RunProjection {
  const { lastTurn, openTurn } = run;
  if (openTurn !== null || lastTurn?.outage === undefined) return run;
  return { ...run, lastTurn: { ...lastTurn, outage: { ...lastTurn.outage, isAsked: true } } };
}

function applySignal(
  run: RunProjection,
  { content, sequence }: EventOf<"signal.received">,
): RunProjection {
  switch (content.kind) {
    case "cancel": {
      // Only a run that awaits signals has something to go on with.
      const isTurnOnly = content.scope === "turn" && run.spec?.bounds.awaits !== undefined;
      const endsRun = !isTurnOnly || (run.isCancelled && run.isTurnOnly !== true);
      return { ...run, isCancelled: true, isTurnOnly: !endsRun };
    }
    case "signal": {
      const { name, payload, wait } = content;
      const noted = wait === undefined ? hearSignal(run, content, sequence) : run;
      // A signal that begins turns is not kept here: the turn has it as its input.
      const isTurns = run.spec?.bounds.awaits?.includes(name) === true;
      const isKnown = Object.hasOwn(run.signals, name);
      if (isTurns || (!isKnown && Object.keys(run.signals).length >= SIGNAL_NAMES_MAX))
        return noted;
      return { ...noted, signals: { ...run.signals, [name]: payload } };
    }
    case "retry":
      return run.blocked?.cause === "quarantined" ? liftQuarantine(run) : askAgain(run);
    case "revoke":
    case "refused":
      return run;
  }
}

function closeTurn(
  run: RunProjection,
  open: OpenTurn | null,
  closing: EventOf<"turn.closed">,
): RunProjection {
  const { turn, content } = closing;
  const { outcome, reason = null, unit = null, output = null } = content;
  const isAborted = run.isTurnOnly === true && outcome === "cancelled";
  const outage = endAsOutage(run, open, closing);
  const isPastRounds = content.ranOut === true && run.spec?.bounds.onRoundsExhausted === "continue";
  // In its thread stands what was done: the next turn goes on there, and does nothing again.
  const isContinued = isPastRounds || (outage !== undefined && open?.isInThread === true);
  // An aborted turn has not failed, and neither has one that waits for its provider.
  const isFine = outcome === "completed" || isAborted;
  const counted = countFailures(run, isPastRounds || outage !== undefined, isFine);
  const isGivenUp = outage === undefined && !isContinued && givesUp(run, outcome, counted);
  const failures = isGivenUp ? 0 : counted;
  const isFailed = !isContinued && !isGivenUp && outcome !== "completed" && !isAborted;
  const isTriedAgain = outcome === "failed" && failures < (run.spec?.bounds.failuresMax ?? 0);
  const isRetriedLater = isTriedAgain && outage === undefined;
  const lastTurn: ClosedTurn = {
    ...{ turn, outcome, reason, unit, output, isDecided: false, isAborted },
    ...(outage === undefined ? {} : { outage }),
    ...(isRetriedLater && open?.retryAt !== undefined ? { retryAt: open.retryAt } : {}),
    ...(isContinued && open !== null ? { continued: open.input } : {}),
    ...(isGivenUp ? { isGivenUp } : {}),
    ...(isFailed && open !== null ? { tried: open.input } : {}),
  };
  const closed = {
    ...{ ...run, blocked: null, turns: run.turns + 1, failures, lastTurn, openTurn: null },
    ...(outage === undefined ? {} : { outages: (run.outages ?? 0) + 1 }),
    ...noteUnknownEnds(run, open),
    threads: markThreads(run.threads, open, closing),
    notes: open?.notes ?? run.notes,
  };
  return run.isTurnOnly === true ? { ...closed, isCancelled: false, isTurnOnly: false } : closed;
}

/** True if a run that awaits messages goes on with the next one in place of another try. */
function givesUp({ spec }: RunProjection, outcome: TurnOutcome, failures: number): boolean {
  if (spec?.bounds.onFailure !== "wait" || spec.bounds.awaits === undefined) return false;
  const isFailure = outcome === "failed" || outcome === "timed-out";
  return isFailure && failures >= spec.bounds.failuresMax;
}

function countFailures({ failures }: RunProjection, isLeftOut: boolean, isFine: boolean): number {
  if (isLeftOut) return failures;
  return isFine ? 0 : failures + 1;
}

/** Changes of notes are kept apart until the turn is closed. */
function noteInTurn(
  open: OpenTurn | null,
  before: NotesByScope,
  event: LoopEvent,
): OpenTurn | null {
  if (open === null) return null;
  const noted = open.notes ?? before;
  const notes = applyToNotes(noted, event);
  return notes === noted ? open : { ...open, notes };
}

/** A turn that was not run to its end has no record of its threads: its requests have. */
function markThreads(
  before: ThreadMarks,
  open: OpenTurn | null,
  { sequence, content: { threads: ends = [] } }: EventOf<"turn.closed">,
): ThreadMarks {
  const used = Object.entries(open?.threads ?? {});
  if (used.length + ends.length === 0) return before;
  return {
    ...before,
    ...Object.fromEntries(
      used.map(([name, first]) => {
        const known = Object.hasOwn(before, name) ? before[name] : undefined;
        return [name, { head: null, since: known?.since ?? first }];
      }),
    ),
    ...Object.fromEntries(
      ends.map(({ thread, head, since = sequence }) => [thread, { head, since }]),
    ),
  };
}
