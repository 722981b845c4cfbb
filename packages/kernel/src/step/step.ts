/** One action on its way through the journal, and what the files beside this one share. */
import type { StandingApproval } from "@turnseal/folds";
import type { Clock, ProviderLimits, RateLimits } from "@turnseal/ports";
import type {
  Amounts,
  Caps,
  ClaimOf,
  Digest,
  EventOf,
  ModelFacts,
  PassedFacts,
  Pauses,
  RetryAdvice,
  Spending,
} from "@turnseal/protocol";
import type { ToolQuestion } from "@turnseal/protocol/authoring";
import type { Appender, EventDraft } from "../log/appender.ts";
import type { Outcome } from "../outcome.ts";
import type { Frame } from "../resume/frame.ts";
import type { RecordedTurn } from "../resume/recorded-turn.ts";
import type { UnitsRead } from "../values/units-read.ts";
import type { Action, Answer } from "./action.ts";
import type { Asked } from "./context-chain.ts";
import type { Judge } from "./judgement.ts";
import type { Standing } from "./standing.ts";

export interface TurnJournalOptions {
  readonly run: string;
  readonly turn: number;
  readonly appender: Appender;
  readonly recorded: RecordedTurn;
  readonly clock: Clock;
  readonly authority: TurnAuthority;
  readonly control: StepControl;
}

/** The limits of what the turn may do and spend, and the people and rules that decide. */
export interface TurnAuthority {
  readonly caps: Caps;
  /** The digest of the grant under which the turn acts. */
  readonly grantDigest: () => Digest;
  /** The people who set the turn going. */
  readonly starters: readonly string[];
  /** Judges an action by the rules of now. */
  readonly judge: Judge;
  /** The units of `spend` that the rules read. */
  readonly unitsRead: UnitsRead;
  readonly spending: () => Spending;
  /** The approvals that stand in the run. Without it there are none. */
  readonly standing?: Standing | undefined;
  /** The sum that the runs above had committed before the handoff. */
  readonly before: Amounts;
}

/** The limits and signals that hold an action back, or end it. */
export interface StepControl {
  /** Who gives leases; without it nobody does. */
  readonly rateLimits?: RateLimits | undefined;
  /** The limits of all tenants together at providers; without them there are none. */
  readonly providerLimits?: ProviderLimits | undefined;
  /** The current pauses; without them there are none. */
  readonly pauses?: Pauses | undefined;
  /** Aborted when the turn is cancelled or its attempt is over. */
  readonly signal: AbortSignal;
  /** Aborted when this attempt is over; never by a cancel. */
  readonly attempt?: AbortSignal | undefined;
  /** Aborted when the turn is to be left: from then on nothing more is claimed. */
  readonly leave?: AbortSignal | undefined;
  /** Runs while an action is in flight, so that a cancel reaches it. */
  readonly watch: <Value>(acting: Promise<Value>) => Promise<Value>;
}

export interface Step extends TurnJournalOptions {
  readonly frame: Frame;
  readonly action: Action;
  readonly key: string;
  readonly asked: Asked;
  /** The facts of its admission, for the claim. */
  readonly passed: PassedFacts & Pick<ModelFacts, "limit">;
  /** Until when it may be claimed by its approval. */
  readonly approved?: {
    readonly useByMs: number;
    /** Describes the event in place of a claim that is too late. */
    readonly describeLate: (nowMs: number) => LateDraft;
    /** The standing approval that the claim draws. */
    readonly standing?: StandingApproval;
  };
  /** Calls with its key that threw, in this attempt. */
  readonly triesBefore?: number;
  /** The actions in flight of this attempt: each is kept when it has been settled. */
  readonly inFlight: Map<Promise<void>, Acting>;
  /** The claims of open handoffs, as far as this attempt knows. */
  readonly handed: HandedRun[];
  /** Which of these is its own, once it acts. */
  readonly own?: Promise<void>;
  /** The same place, with another action. */
  restate(action: Action): Step;
}

/** The approval has expired, or the action needs a request of its own. */
export type LateDraft = EventDraft<"approval.expired"> | EventDraft<"approval.requested">;

/** A run that was handed to, by the claim that did. */
export type HandedRun = ClaimOf<"handoff">;

export interface Acting {
  readonly effect: Action["effect"];
  /** The terms that it acts under, by id, each with how many may act by it at the same time. */
  readonly terms: ReadonlyMap<string, number>;
}

/** The events that say how an action ended, or that nobody knows. */
export type EndEvent = EventOf<"action.settled" | "action.resolved" | "action.unknown">;

/** How one attempt ended, and whether another may be made. */
export interface Ended {
  readonly outcome: Outcome<Answer>;
  readonly retryAdvice: RetryAdvice;
  /** The class of the failure that it ended with, where that is known. */
  readonly failure?: string | undefined;
  /** The event of the end, if there is one. */
  readonly event?: EndEvent | undefined;
  /** The question of a tool that did nothing, and needs an answer. */
  readonly asks?: ToolQuestion | undefined;
  /** The action that was claimed, also where a person edited it. */
  readonly claimed?: Action;
}

/** The claim whose place another takes. */
export interface Superseded {
  readonly claim: EventOf<"action.claimed">;
  /**
   * Where it is still open: the new claim resolves it as `again`. If no new claim can be made, the
   * earlier attempt is still unknown, and this is the end.
   */
  readonly leaveOpen?: () => Ended;
  /** True where every call of the key so far was by this worker, and threw. */
  readonly hasThrown?: boolean;
  /** For a held claim: called in the tick in which another replaces it. */
  readonly onTaken?: () => void;
}

export function ended(outcome: Outcome<Answer>, event?: EndEvent): Ended {
  return { outcome, retryAdvice: "never", event };
}

/** Whose event it is. */
export function ownerOf({
  turn,
  frame: { call, parentCall },
}: Pick<Step, "turn" | "frame">): Owner {
  return parentCall === undefined ? { turn, call } : { turn, call, parentCall };
}

type Owner = Pick<EndEvent, "turn" | "call" | "parentCall">;
