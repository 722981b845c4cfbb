/** One action on its way through the journal, and what the files beside this one share. */
import type { Clock } from "@turnseal/ports";
import type { Amounts, JsonObject, LoopEvent, RetryAdvice, Spending } from "@turnseal/protocol";
import type { Frame } from "../frame.ts";
import type { Outcome } from "../outcome.ts";
import type { Action, Answer } from "./action.ts";
import type { Appender, EventDraft } from "./appender.ts";
import type { Asked } from "./context-chain.ts";
import type { RecordedTurn } from "./recorded-turn.ts";

export interface TurnJournalOptions {
  readonly run: string;
  readonly turn: number;
  readonly appender: Appender;
  readonly recorded: RecordedTurn;
  readonly clock: Clock;
  readonly signal: AbortSignal;
  readonly cap: Amounts;
  readonly spending: () => Spending;
  /** Told of the event that ended an action. */
  readonly follow: (event: LoopEvent) => void;
  /** Runs while an action is in flight, so that a cancel reaches it. */
  readonly watch: <Value>(acting: Promise<Value>) => Promise<Value>;
}

export interface Step extends TurnJournalOptions {
  readonly frame: Frame;
  readonly action: Action;
  readonly key: string;
  readonly asked: Asked;
}

/** How one attempt ended, and whether another may be made. */
export interface Ended {
  readonly outcome: Outcome<Answer>;
  readonly retryAdvice: RetryAdvice;
  /** The event that says so, where there is one. */
  readonly event?: LoopEvent | undefined;
}

export function ended(outcome: Outcome<Answer>, event?: LoopEvent): Ended {
  return { outcome, retryAdvice: "never", event };
}

type Attached = NonNullable<EventDraft["attached"]>;

/** Pushes an event of the step's call. */
export function pushForCall(
  step: Step,
  type: string,
  content: JsonObject,
  attached?: Attached,
): LoopEvent {
  const attachment = attached === undefined ? {} : { attached };
  return step.appender.push(() => ({ ...ownerOf(step), type, content, ...attachment }));
}

/** Whose event it is. */
export function ownerOf({
  turn,
  frame: { call, parentCall },
}: Step): Pick<EventDraft, "turn" | "call" | "parentCall"> {
  return parentCall === undefined ? { turn, call } : { turn, call, parentCall };
}
