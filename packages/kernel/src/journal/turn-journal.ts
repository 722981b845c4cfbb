/**
 * The journal of a turn: every effect is claimed, done and settled in the log (spec/log.md §5).
 *
 * 1. A settled action is never done again: its recorded result is the answer.
 * 2. The key of an action is the same in every attempt, so that a tool that honours it acts once.
 * 3. New claims wait until everything recorded has been asked for again.
 */
import type { PassedFacts } from "@turnseal/protocol";
import { askQuestion } from "../gate/ask-question.ts";
import { passGate } from "../gate/gate.ts";
import { waitForSignal } from "../gate/wait-for-signal.ts";
import {
  RETRIES_MAX,
  RETRY_AFTER_MS_MAX,
  RETRY_DELAY_MS,
  WAIT_IN_PLACE_MS_MAX,
} from "../limits.ts";
import { fail, type Paused } from "../outcome.ts";
import { beNew, wasLeftBehind } from "../resume/be-new.ts";
import { type Frame, recordedAt } from "../resume/frame.ts";
import { listItemRuns } from "../resume/list-item-runs.ts";
import type { Action, Journal } from "../step/action.ts";
import { actionKey } from "../step/action-key.ts";
import { createContextChain } from "../step/context-chain.ts";
import {
  type EndEvent,
  type Ended,
  ended,
  type Step,
  type TurnJournalOptions,
} from "../step/step.ts";
import { claimAndAct } from "./claim-and-act.ts";
import { eventsOf } from "./events-of.ts";
import { goOn } from "./go-on.ts";
import { listHandedRuns } from "./handed-runs.ts";
import { holdMember } from "./hold-member.ts";
import type { KeptOutputs } from "./kept-outputs.ts";
import { untilLeft } from "./leave-turn.ts";
import { leftUnknown } from "./left-unknown.ts";
import { listSignals } from "./list-signals.ts";
import { createGroupReads } from "./read-group.ts";
import { retryFits } from "./retry-fits.ts";
import { shareAmong } from "./share-among.ts";
import { waitInPlace } from "./wait-in-place.ts";
import { waitUntil } from "./wait-until.ts";
import { withdrawItems } from "./withdraw-items.ts";

type JournalOptions = TurnJournalOptions & { readonly outputs: KeptOutputs };

const NEVER = new AbortController().signal;

/** The journal, which can be left in the middle of whatever it does. */
export function turnJournal(options: JournalOptions): Journal {
  const inFlight: Step["inFlight"] = new Map();
  const handed = listHandedRuns(options.recorded.events);
  const [journal, waits] = [createJournal(options, { inFlight, handed }), createWaits(options)];
  const run: Journal["run"] = (frame, action) =>
    untilLeft(journal.run(frame, action), { ...options, inFlight });
  const waitUntil: Journal["waitUntil"] = (frame, untilMs) =>
    untilLeft(waits.waitUntil(frame, untilMs), { ...options, inFlight });
  return { ...journal, ...waits, ...createReads({ ...options, handed }), run, waitUntil };
}

type WaitName = "ask" | "waitUntil" | "waitForSignal" | "withdraw";
type GroupName = "readGroup" | "findAsked" | "readMember";
type ReadName = GroupName | "listRuns" | "leftUnknown" | "listSignals" | "share";

/** What waits for others, or lets them be. */
function createWaits(options: JournalOptions): Pick<Journal, WaitName> {
  return {
    ask: (frame, question) => askQuestion(frame, question, options),
    waitUntil: (frame, untilMs) =>
      waitUntil({ ...options, signal: signalFor(frame, options), frame }, untilMs),
    waitForSignal: (frame, wait) => waitForSignal(frame, wait, options),
    withdraw: (frame, items) => withdrawItems(frame, items, options),
  };
}

/** What the turn so far says. */
function createReads(options: JournalOptions & Pick<Step, "handed">): Pick<Journal, ReadName> {
  return {
    listRuns: ({ call }, path) => listItemRuns(eventsOf(options), { call, path }),
    leftUnknown: (frame, path) => leftUnknown(frame, path, options),
    listSignals: (frame, span) => listSignals(frame, span, options),
    share: (frame, fanOut) => shareAmong(frame, fanOut, options),
    ...createGroupReads(options),
  };
}

function createJournal(
  options: JournalOptions,
  open: Pick<Step, "inFlight" | "handed">,
): Omit<Journal, WaitName | ReadName> {
  const { run, turn, outputs } = options;
  const contexts = createContextChain(options.appender.content);
  return {
    findWindow: ({ call }) => options.recorded.windowOf(call),
    keep: (frame, output) => outputs.keep(frame.call, output),
    readKept: outputs.read,
    run: async (frame, first) => {
      const { call } = frame;
      const signal = signalFor(frame, options);
      let [action, asked] = [first, outputs.attach(call, contexts.describe(call, first))];
      let tries = 0;
      // The latest claim of the place: what it asked stands in the log, whatever comes of it.
      let claim: number | undefined;
      for (let failures = 0; ; failures++) {
        const { ordinal } = action;
        const key = actionKey({ run, turn, path: frame.path, ordinal, retry: failures });
        const [asking, described] = [action, asked];
        const state = (current: Action): Step => ({
          ...options,
          signal,
          frame,
          action: current,
          key,
          asked: current === asking ? described : contexts.describe(frame.call, current),
          passed: {},
          ...open,
          restate: state,
        });
        const { outcome, retryAdvice, failure, event } = await runOnce(state(action));
        // What follows an end that is recorded is new, and must not come before what is recorded
        // elsewhere.
        if (outcome.kind !== "paused" && isLast(frame, options)) {
          if (await wasLeftBehind(state(action))) return { kind: "paused" };
          await beNew(state(action));
        }
        // A person's word is written down while nobody works on the turn.
        if (event !== undefined && event.actor.kind === "kernel") frame.recorder.follow(event);
        // Whatever takes its place counts the failures on: each attempt of the place has its key.
        const instead = failure === undefined ? undefined : action.instead?.(failure);
        const isRetried = retryAdvice === "retry" && tries < RETRIES_MAX && mayRetry(action, event);
        claim = event?.content.claim ?? claim;
        if (instead === undefined && !(isRetried && retryFits(state(action), outcome))) {
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
    },
  };
}

/** True where nothing is recorded behind it. From the end of an item's run nothing follows yet. */
function isLast({ call, item }: Frame, { recorded }: JournalOptions): boolean {
  return item === undefined && !recorded.hasMore(call);
}

/**
 * Aborted when the turn is cancelled, or what acts is told to stop. A cancel does not reach what a
 * group was committed to do: it waits for the end of that.
 */
function signalFor({ branch: { stop }, hold }: Frame, options: JournalOptions): AbortSignal {
  if (hold !== undefined) return options.attempt ?? NEVER;
  const { signal } = options;
  return stop === undefined ? signal : AbortSignal.any([signal, stop]);
}

/** What may be repeated is tried again, unless whoever failed asks for too long a pause. */
function mayRetry({ effect }: Action, failed: EndEvent | undefined): boolean {
  const isRepeatable = effect === "repeatable" || effect === "read" || effect === "idempotent";
  return isRepeatable && askedDelayMs(failed) <= RETRY_AFTER_MS_MAX;
}

/** Answers from the record as far as it goes, and acts from there on. */
async function runOnce(asking: Step): Promise<Ended> {
  const { call, item } = asking.frame;
  const refused = asking.recorded.refusalOf(call, item);
  if (refused !== undefined) return ended({ kind: "error", error: refused });
  // What is tried again after a failure was released before.
  if (asking.frame.hold?.isReleased() === false) return holdMember(asking);
  const passage = await passGate(asking);
  if (passage.kind === "stopped") return passage.ended;
  const refusedThen = asking.recorded.refusalOf(call, item);
  if (refusedThen !== undefined) return ended({ kind: "error", error: refusedThen });
  const step: Step = { ...passage.step, passed: addPeople(passage.facts, asking.frame) };
  const known = step.recorded.takeAction(call, step.key, recordedAt(step.frame));
  if (known === undefined) return claimAndAct(step);
  return goOn(known, step);
}

/** What is done for a group, and nobody was asked for, is for whoever could commit that. */
function addPeople(facts: PassedFacts, { hold }: Frame): PassedFacts {
  return facts.approval === undefined ? { ...hold?.people(), ...facts } : facts;
}

/** How long whoever failed asks to be left alone. */
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
