/**
 * The journal of a turn: every effect is claimed, done and settled in the log (spec/log.md §5).
 *
 * 1. A settled action is never done again: its recorded result is the answer.
 * 2. The key of an action is the same in every attempt, so that a tool that honours it acts once.
 * 3. New claims wait until the code has repeated everything recorded.
 */
import type { PassedFacts } from "@turnseal/protocol";
import { askForTool } from "../gate/ask-for-tool.ts";
import { askQuestion } from "../gate/ask-question.ts";
import { passGate } from "../gate/gate.ts";
import { waitForSignal } from "../gate/wait-for-signal.ts";
import {
  RETRIES_MAX,
  RETRY_AFTER_MS_MAX,
  RETRY_DELAY_MS,
  TOOL_QUESTIONS_MAX,
  WAIT_IN_PLACE_MS_MAX,
} from "../limits.ts";
import { fail, type Outcome, type Paused } from "../outcome.ts";
import { awaitReplay, wasLeftBehind } from "../resume/await-replay.ts";
import { type Frame, follow, recordedAt } from "../resume/frame.ts";
import { listItemRuns } from "../resume/list-item-runs.ts";
import type { Action } from "../step/action.ts";
import { actionKey } from "../step/action-key.ts";
import { createContextChain } from "../step/context-chain.ts";
import type { RunJournal } from "../step/journal.ts";
import {
  type EndEvent,
  type Ended,
  ended,
  type Step,
  type StepControl,
  type TurnJournalOptions,
} from "../step/step.ts";
import { claimAndAct } from "./claim-and-act.ts";
import { continueClaim } from "./continue-claim.ts";
import { eventsOf } from "./events-of.ts";
import { findItemBudget } from "./find-item-budget.ts";
import { listHandedRuns } from "./handed-runs.ts";
import { hasRoomForRetry } from "./has-room-for-retry.ts";
import { hasUnknownEffect } from "./has-unknown-effect.ts";
import { holdMember } from "./hold-member.ts";
import type { KeptOutputs } from "./kept-outputs.ts";
import { untilLeft } from "./leave-turn.ts";
import { listSignals } from "./list-signals.ts";
import { createGroupReads } from "./read-group.ts";
import { waitInPlace } from "./wait-in-place.ts";
import { waitUntil } from "./wait-until.ts";
import { withdrawItems } from "./withdraw-items.ts";

type JournalOptions = TurnJournalOptions & { readonly outputs: KeptOutputs };

const NEVER = new AbortController().signal;

/** The journal, whose calls can all be left in the middle. */
export function turnJournal(options: JournalOptions): RunJournal {
  const inFlight: Step["inFlight"] = new Map();
  const handed = listHandedRuns(options.recorded.events);
  const runAction = createRun(options, { inFlight, handed });
  const waits = createWaits(options);
  return {
    ...waits,
    ...createReads({ ...options, handed }),
    run: (frame, action) => untilLeft(runAction(frame, action), { ...options, inFlight }),
    waitUntil: (frame, untilMs) =>
      untilLeft(waits.waitUntil(frame, untilMs), { ...options, inFlight }),
  };
}

type WaitName = "ask" | "waitUntil" | "waitForSignal" | "withdraw";

/** Waits of the journal, and their withdrawal. */
function createWaits(options: JournalOptions): Pick<RunJournal, WaitName> {
  return {
    ask: (frame, question) => askQuestion(frame, question, options),
    waitUntil: (frame, untilMs) =>
      waitUntil({ ...options, control: controlOf(frame, options), frame }, untilMs),
    waitForSignal: (frame, wait) => waitForSignal(frame, wait, options),
    withdraw: (frame, items) => withdrawItems(frame, items, options),
  };
}

/** Reads of the turn so far. */
function createReads(
  options: JournalOptions & Pick<Step, "handed">,
): Omit<RunJournal, WaitName | "run"> {
  return {
    findWindow: ({ call }) => options.recorded.windowOf(call),
    listRuns: ({ call }, path) => listItemRuns(eventsOf(options), { call, path }),
    hasUnknownEffect: (frame, path) => hasUnknownEffect(frame, path, options),
    listSignals: (frame, span) => listSignals(frame, span, options),
    share: (frame, fanOut) => findItemBudget(frame, fanOut, options),
    ...createGroupReads(options),
  };
}

function createRun(
  options: JournalOptions,
  open: Pick<Step, "inFlight" | "handed">,
): RunJournal["run"] {
  const { run, turn, outputs } = options;
  const contexts = createContextChain(options.appender.content);
  return async (frame, first) => {
    const { call } = frame;
    const control = controlOf(frame, options);
    let [action, asked] = [first, outputs.attach(call, contexts.describe(call, first))];
    let [tries, questions] = [0, 0];
    // The latest claim of the place: its request stands in the log with any end.
    let claim: number | undefined;
    for (let failures = 0; ; failures++) {
      const { ordinal } = action;
      const key = actionKey({ run, turn, path: frame.path, ordinal, retry: failures });
      const [asking, described] = [action, asked];
      const state = (current: Action): Step => ({
        ...options,
        control,
        frame,
        action: current,
        key,
        asked: current === asking ? described : contexts.describe(frame.call, current),
        passed: {},
        ...open,
        restate: state,
      });
      const end = await runOnce(state(action));
      const { outcome, retryAdvice, failure, event } = end;
      // Anything after a recorded end is new, and must not come before recorded events elsewhere.
      if (outcome.kind !== "paused" && isLast(frame, options)) {
        if (await wasLeftBehind(state(action))) return { kind: "paused" };
        await awaitReplay(state(action));
      }
      // A person's word is written down while nobody works on the turn.
      if (event !== undefined && event.actor.kind === "kernel") follow(frame, event);
      const next = await askNext(frame, { ...end, failures, questions }, options);
      if (next?.kind === "ok") {
        [action, asked, tries] = [next.value, contexts.describe(call, next.value), 0];
        questions += 1;
        continue;
      }
      if (next !== undefined) return next;
      // The claim that replaces it keeps counting failures: each attempt has its own key.
      const instead = failure === undefined ? undefined : action.instead?.(failure);
      const isRetried = retryAdvice === "retry" && tries < RETRIES_MAX && mayRetry(action, event);
      claim = event?.content.claim ?? claim;
      if (instead === undefined && !(isRetried && hasRoomForRetry(state(action), outcome))) {
        contexts.advance(frame.call, asked, claim);
        if (failure === "MODEL_REFUSED") asked.onRefused?.();
        return outcome;
      }
      // The same answer as from the next attempt, which a cancel during the wait would keep from
      // being claimed.
      if (frame.isCancelled()) {
        contexts.advance(frame.call, asked, claim);
        return fail("CANCELLED", "the call was cancelled");
      }
      if (instead !== undefined) {
        [action, asked, tries] = [instead, contexts.describe(frame.call, instead), 0];
        continue;
      }
      const paused = await waitBeforeRetry(state(action), event, tries++);
      if (paused !== undefined) return paused;
    }
  };
}

interface AskedEnd extends Pick<Ended, "asks" | "event" | "claimed"> {
  readonly failures: number;
  /** How many questions the call has asked. */
  readonly questions: number;
}

/** The attempt with the answer, if the tool needs one and may still ask. */
async function askNext(
  frame: Frame,
  { claimed: action, asks, event, failures, questions }: AskedEnd,
  options: JournalOptions,
): Promise<Outcome<Action> | undefined> {
  if (asks === undefined || action === undefined || event?.type !== "action.settled")
    return undefined;
  if (questions >= TOOL_QUESTIONS_MAX) return undefined;
  const of = { claim: event.content.claim, attempt: failures };
  return askForTool(frame, { action, asks, of }, options);
}

/** True where nothing is recorded behind it. From the end of an item's run nothing follows yet. */
function isLast({ call, item }: Frame, { recorded }: JournalOptions): boolean {
  return item === undefined && !recorded.hasMore(call);
}

/**
 * The control of one call. Its signal is aborted when the turn is cancelled, or when the acting
 * part is stopped. A cancel does not reach a committed group: it waits for the end of the group.
 */
function controlOf({ branch: { stop }, hold }: Frame, { control }: JournalOptions): StepControl {
  const { signal, attempt = NEVER } = control;
  if (hold !== undefined) return { ...control, signal: attempt };
  return stop === undefined ? control : { ...control, signal: AbortSignal.any([signal, stop]) };
}

/** Retries a repeatable action, unless the failure asks for too long a pause. */
function mayRetry({ effect }: Action, failed: EndEvent | undefined): boolean {
  const isRepeatable = effect === "repeatable" || effect === "read" || effect === "idempotent";
  return isRepeatable && askedDelayMs(failed) <= RETRY_AFTER_MS_MAX;
}

/** Answers from the record as far as it goes, and acts from there on. */
async function runOnce(asking: Step): Promise<Ended> {
  const { call, item } = asking.frame;
  const refused = asking.recorded.refusalOf(call, item);
  if (refused !== undefined) return ended({ kind: "error", error: refused });
  // A retry of a member was released before.
  if (asking.frame.hold?.isReleased() === false) return holdMember(asking);
  const passage = await passGate(asking);
  if (passage.kind === "stopped") return passage.ended;
  const refusedThen = asking.recorded.refusalOf(call, item);
  if (refusedThen !== undefined) return ended({ kind: "error", error: refusedThen });
  const step: Step = { ...passage.step, passed: addPeople(passage.facts, asking.frame) };
  const known = step.recorded.takeAction(call, step.key, recordedAt(step.frame));
  if (known === undefined) return claimAndAct(step);
  return continueClaim(known, step);
}

/** Records the committing people for an action of a group that has no approval of its own. */
function addPeople(facts: PassedFacts, { hold }: Frame): PassedFacts {
  return facts.approval === undefined ? { ...hold?.people(), ...facts } : facts;
}

/** The pause that the failed tool or provider asked for. */
function askedDelayMs(failed: EndEvent | undefined): number {
  if (failed?.type !== "action.settled" || failed.content.action === "handoff") return 0;
  return failed.content.retryAfterMs ?? 0;
}

/** Waits in place, or answers that it is too long for that. */
async function waitBeforeRetry(
  step: Step,
  failed: EndEvent | undefined,
  tries: number,
): Promise<Paused | undefined> {
  // A retry that is recorded was waited for when it was made.
  if (step.recorded.hasMore(step.frame.call)) return undefined;
  const nowMs = step.clock.now();
  const failedMs = failed === undefined ? nowMs : Date.parse(failed.at);
  const untilMs = failedMs + Math.max(RETRY_DELAY_MS * 2 ** tries, askedDelayMs(failed));
  if (untilMs - nowMs > WAIT_IN_PLACE_MS_MAX) return { kind: "paused", untilMs };
  if (untilMs > nowMs) await waitInPlace(step, untilMs - nowMs);
  return undefined;
}
