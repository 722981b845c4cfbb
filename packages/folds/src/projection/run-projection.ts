import type {
  Actor,
  Amounts,
  BlobRef,
  Block,
  ByPeriod,
  ClaimEffect,
  GivenThread,
  Grant,
  HandedItem,
  JsonObject,
  LateResolution,
  RunBounds,
  RunSpec,
  Spending,
  StopReason,
  Trigger,
  TurnOutcome,
} from "@turnseal/protocol";
import type { ManagedRoots } from "@turnseal/protocol/artifact";
import type { NotesByScope } from "../notes/scope-notes.ts";
import type { ThreadMarks } from "../thread/thread-mark.ts";
import type { Outage, Provider } from "./provider-state.ts";
import type { StandingApproval, StandingRequest } from "./standing-state.ts";
import type { Heard, OpenWait, TurnWait } from "./wait-state.ts";

/** Raised by any change to the fold of a run: a snapshot of another fold is not read. */
export const FOLD = 20;

/**
 * The state of a run: a fold of its events, and nothing else.
 *
 * It is bounded and holds no list that grows with the run: turn 10,000 costs what turn 10 did.
 */
export interface RunProjection {
  readonly run: string;
  readonly sequence: number;
  readonly hash: string;
  readonly lastAt: string;
  readonly spec: RunSpec | null;
  readonly input: BlobRef | null;
  /** The texts of the run's documents. */
  readonly guidance: BlobRef | null;
  /** The documents of its loops. Absent where none are kept with it. */
  readonly definitions?: BlobRef;
  /** The rules of the run, as they were when it started. */
  readonly policy: BlobRef | null;
  readonly startedAt: string | null;
  /** The actor who started the run. */
  readonly startedBy: Actor | null;
  /** The event that started the latest turn, or starts the next one. */
  readonly trigger: Trigger | null;
  /** Turns that were closed. */
  readonly turns: number;
  /** Of these, turns that a provider has ended by being away. Absent while there are none. */
  readonly outages?: number;
  /** Turns in a row that did not complete; outages are no part of them. */
  readonly failures: number;
  readonly openTurn: OpenTurn | null;
  readonly lastTurn: ClosedTurn | null;
  /** The receipt of the last closed turn, once the run has decided on it. */
  readonly lastReceipt: string | null;
  readonly spending: Spending;
  readonly isCancelled: boolean;
  /** True when only the open turn is cancelled, and the run goes on after it. */
  readonly isTurnOnly?: boolean;
  /**
   * The latest payload of each signal, by name; for one that begins turns, that of the latest turn.
   */
  readonly signals: Readonly<Record<string, BlobRef>>;
  /**
   * Signals that no wait of a flow has taken, by name: those of further names are together under
   * the empty one. Absent while there are none.
   */
  readonly heard?: Readonly<Record<string, Heard>>;
  /** The signals that turns begin with; null while there was none, and nothing is waited for. */
  readonly awaited: AwaitedSignals | null;
  /** Where the threads of its prompts stood at the end of the last turn that went on with them. */
  readonly threads: ThreadMarks;
  /** The notes that were valid when the last turn ended. */
  readonly notes: NotesByScope;
  /** The files outside that the run manages, by root. Absent while there were none. */
  readonly artifacts?: ManagedRoots;
  /** The approvals that stand. Absent while there were none. */
  readonly standing?: readonly StandingApproval[];
  readonly stopped: StopReason | null;
  /** ISO 8601: since when; later messages do not change it. Absent while it goes on. */
  readonly stoppedAt?: string;
  /** The block by the last worker, with the time of the first; null once a worker goes on. */
  readonly blocked: (Block & { readonly at: string }) | null;
  /** How often people have lifted a quarantine of the run. Absent where nobody has. */
  readonly lifts?: number;
  /** Actions whose end nobody knows, of closed turns: the latest. Absent while there are none. */
  readonly unknownEnds?: readonly UnknownEnd[];
}

/** Signals that turns begin with: the log holds them, and this says from where on. */
export interface AwaitedSignals {
  /** Awaited signals that no turn has begun with. */
  readonly count: number;
  /** The oldest of them stands after this sequence number. */
  readonly after: number;
  /** True from the decision to wait until the next one. */
  readonly isWaiting: boolean;
  /** The latest tick of each schedule. */
  readonly ticks: Readonly<Record<string, Tick>>;
}

export interface Tick {
  /** ISO 8601: the time that the schedule names. */
  readonly at: string;
  /** The sequence number of its signal. */
  readonly sequence: number;
}

export interface OpenTurn {
  readonly turn: number;
  /** The sequence number of its first event. */
  readonly from: number;
  /** Resumes since it last got any further. */
  readonly resumes: number;
  /** How many of them found that the worker before was lost, since the turn was last left. */
  readonly lost?: number;
  /** True where its worker has left it: it waits, or is paused. */
  readonly isLeft?: true;
  readonly waiting: TurnWait | null;
  /** Claims that are not settled, by sequence number. */
  readonly open: readonly OpenClaim[];
  /** Calls whose group is committed and not closed: a cancel waits for them. Absent without any. */
  readonly committed?: readonly string[];
  /** Requests to people that are not decided. */
  readonly asked: readonly OpenRequest[];
  /** Waits of its flows for a signal, in the order of the log. Absent while there are none. */
  readonly waits?: readonly OpenWait[];
  /** ISO 8601: the end of the pause that the last failed provider asked for. */
  readonly retryAt?: string;
  /** How the provider of the last action that was settled was found, where it gave no answer. */
  readonly provider?: Provider;
  /** The cost of its failed requests to models. Absent for none. */
  readonly failedCost?: Amounts;
  /** True when its root prompt goes on with a thread. */
  readonly isInThread?: true;
  /** The names of what was claimed that is more than reading: the first. */
  readonly acted?: readonly string[];
  /** The amounts that the run had committed before it. */
  readonly spentBefore: Amounts;
  /** Its input. */
  readonly input: BlobRef;
  /** The first request of each thread that it goes on with. */
  readonly threads: Readonly<Record<string, number>>;
  /** The notes by now, if the turn changed them: a resume begins with the earlier ones. */
  readonly notes?: NotesByScope;
}

/** An action with an unknown end, for the person who resolves it. */
export type UnknownClaim = Pick<
  OpenClaim,
  "key" | "claim" | "hash" | "name" | "effect" | "role" | "excluded" | "deadlineAt" | "isWithdrawn"
>;

/** An action that may have happened, of a turn that was closed without knowing. */
export interface UnknownEnd extends UnknownClaim {
  readonly turn: number;
  /** True for a handoff: only the started run itself reports its end. */
  readonly isHandoff?: true;
  /** A person's later resolution of it. */
  readonly said?: LateWord;
}

/** A person's word after the stop. */
export interface LateWord {
  readonly resolution: LateResolution;
  readonly by: string;
  readonly at: string;
  readonly sequence: number;
}

/** How many of the latest are kept. */
export const UNKNOWN_ENDS_MAX = 20;

/** The kept names of a turn's actions. */
export const ACTED_NAMES_MAX = 20;

/** A run that was started from here and has not ended. */
export interface OpenHandoff {
  readonly child: string;
  readonly loop: string;
  readonly version: string | null;
  readonly grant: Grant;
  readonly bounds: RunBounds;
  readonly input: BlobRef;
  /** The sum that this run, and the runs above it, had committed before. */
  readonly before?: Amounts;
  /** The thread whose entries it gets, if it gets any. */
  readonly thread?: GivenThread;
  /** The item of a fan-out that it is, where it is one. */
  readonly item?: HandedItem;
  /** True when the item that it is, or is of, is not wanted: it is cancelled, and waited for. */
  readonly isWithdrawn?: true;
}

/** An approval or a question that waits for somebody. */
export interface OpenRequest {
  readonly kind: "approval" | "question";
  /** The id of the event that asked: what people call it by. */
  readonly id: string;
  readonly sequence: number;
  readonly hash: string;
  readonly key: string;
  readonly call: string;
  readonly parentCall: string | null;
  readonly askedAt: string;
  /** The loop whose input, or for a question whose output, is checked against. */
  readonly loop: string;
  readonly version: string;
  /** The tool that would act; for a question, whom it is for. */
  readonly name: string;
  readonly request: BlobRef | null;
  readonly role: string | null;
  readonly approvers: number;
  readonly approvedBy: readonly string[];
  /** The ids of those who may not approve. */
  readonly excluded: readonly string[];
  readonly decideBy: string | null;
  /** The facts that an approval of it can stand for. Absent where none may stand. */
  readonly standing?: StandingRequest;
  /** Further facts of the event: the asking rule, the cost, the declared effect. */
  readonly facts: JsonObject;
}

export interface OpenClaim {
  readonly key: string;
  readonly claim: number;
  readonly hash: string;
  readonly call: string;
  readonly parentCall: string | null;
  readonly name: string;
  readonly effect: ClaimEffect;
  /** The role that may resolve it; anybody with an identity by default. */
  readonly role: string | null;
  /** The ids of those who may not. */
  readonly excluded: readonly string[];
  readonly deadlineAt: string;
  readonly reserve: Amounts;
  /** The periods that it counts in, by kind, where the grant has caps for some. */
  readonly periods: ByPeriod<string> | null;
  /** True when a person must say what happened. */
  readonly isUnknown: boolean;
  /** For a member of a group that is not released: it did nothing. */
  readonly isHeld?: true;
  /** True for a withdrawn item's claim: its resolution changes nothing. */
  readonly isWithdrawn?: true;
  /** For a handoff: the run that was started, and what it was started with. */
  readonly handoff: OpenHandoff | null;
}

export interface ClosedTurn {
  readonly turn: number;
  readonly outcome: TurnOutcome;
  readonly reason: string | null;
  /** For an exceeded budget: in which unit. */
  readonly unit: string | null;
  readonly output: BlobRef | null;
  readonly isDecided: boolean;
  /** True when somebody stopped this turn, and not the run. */
  readonly isAborted?: boolean;
  /** True when it failed, and the run waits for its next message in place of another try. */
  readonly isGivenUp?: boolean;
  /** Its input, if the next turn goes on with the same and adds no words. */
  readonly continued?: BlobRef;
  /** Its input, if it did not complete: a turn that tries again gets the same. */
  readonly tried?: BlobRef;
  /** ISO 8601: the turn that tries again begins then, since a provider asked to be left alone. */
  readonly retryAt?: string;
  /** Where its provider has ended it by being away. */
  readonly outage?: Outage;
}

/** Signals whose latest payload is kept. */
export const SIGNAL_NAMES_MAX = 64;

/** The longest that a provider may keep the next turn waiting. */
export const RETRY_LATER_MS_MAX = 24 * 60 * 60 * 1000;
