/** One effect on the world, before it happens. */
import type { Clock, ModelMessage } from "@turnseal/ports";
import type {
  Amounts,
  ClaimEffect,
  Effect,
  HandoffFacts,
  JsonSchema,
  JsonValue,
  ModelAnswerFacts,
  ModelFacts,
  RateLimitSpec,
  Rejection,
  ToolAnswerFacts,
  ToolFacts,
} from "@turnseal/protocol";
import type { Reconciliation } from "@turnseal/protocol/authoring";
import type { FoldedGroup, GroupMember } from "@turnseal/protocol/receipts";
import type { Tail } from "../context/tail.ts";
import type { ThreadStep } from "../context/thread-step.ts";
import type { Judgement } from "../judgement.ts";
import type { RecordedChanges } from "../log/run-artifacts.ts";
import type { Outcome, Paused } from "../outcome.ts";
import type { Frame } from "../resume/frame.ts";
import type { ItemPlace } from "../resume/item-place.ts";
import type { ItemRuns } from "../resume/list-item-runs.ts";

export interface Action {
  readonly kind: "tool" | "model" | "handoff";
  /** The tool, the backend or the loop that is handed to, for messages. */
  readonly name: string;
  /** Which action of its call this is, from zero. */
  readonly ordinal: number;
  /**
   * What may be done about an earlier attempt whose end nobody knows. A model may simply be asked
   * again.
   */
  readonly effect: ClaimEffect;
  /** Facts that the claim records. */
  readonly facts: ModelFacts | ToolFacts | HandoffFacts;
  /** What is asked. Content: recorded by digest only. */
  readonly request: JsonValue;
  /**
   * For a model: what this request adds to the conversation. Earlier parts are named by one digest,
   * never copied.
   */
  added?(): readonly ModelMessage[];
  /** For a model: how it goes on with a thread, where it does. */
  readonly thread?: ThreadStep;
  /** For a model: what stands at the end of this request alone. */
  readonly tail?: Tail;
  /** For a model: what was said before, and is left out from this request on. Content. */
  readonly leftOut?: readonly JsonValue[];
  /** At most what it can cost. */
  reserve(): Amounts;
  /** What an attempt costs that is refused. */
  readonly attempt: Amounts;
  /** How its effect can be undone, for whoever is asked to approve it. */
  readonly undo?: string;
  /** What the rules look at. An action without it is not theirs to judge. */
  readonly judged?: JudgedFacts;
  /** Where it stands for others: what the rules say to all of them together. */
  judgeAll?(): Judgement;
  /** The same action with another request, if that may be asked for. */
  revise?(request: JsonValue): Outcome<Action>;
  act(given: ActGiven): Promise<Answer>;
  /** What the latest attempt showed to whoever watched. Content. */
  shown?(): { readonly text: string; readonly isCut: boolean } | undefined;
  /** Records what the latest attempt changed of managed files, in the moment of settling it. */
  record?(): RecordedChanges | undefined;
  /** What it is counted with, also by other workers. */
  readonly limit?: RateLimitSpec;
  /** False where nobody looks at what it gave, where that is recorded already. */
  readonly isWanted?: boolean;
  /** What takes its place after a failure of this class, where something does. */
  instead?(failure: string): Action | undefined;
  /** Asks the tool what became of an earlier attempt. */
  reconcile?(key: string, asking: { readonly epoch: number }): Promise<Reconciliation>;
}

/** What is asked of a tool, for the rules. */
export interface JudgedFacts {
  /** The loop that stands for the tool. */
  readonly loop: string;
  readonly tool: { readonly name: string; readonly version: string; readonly effect: Effect };
  readonly args: JsonValue;
  readonly grant: object;
  readonly needs: object;
  /** The roles whose approval the terms of the grant want. */
  readonly approvals: readonly string[];
  /** What the tool itself says. Asked only when it is about to act. */
  readonly gate?: () => unknown;
  /**
   * What a no does where the tool alone asks; whoever asked for the action is told, unless given.
   */
  readonly onReject?: Rejection;
}

/** What the doer is told: the same key for every attempt, so that it can act once. */
export interface ActGiven {
  readonly key: string;
  readonly epoch: number;
  /** True where an earlier attempt may have done it, or a part of it. */
  readonly isRepeated?: boolean;
  readonly signal: AbortSignal;
  readonly deadlineAt: string;
  /** Called right before the effect can take place: what fails earlier did not happen. */
  readonly onBegin: () => void;
  /** The time now, for measuring what comes in pieces. */
  readonly nowMs: () => number;
  readonly after: Clock["after"];
}

/** What an act gave: its result as content, facts for the record, and what it cost. */
export interface Answer {
  readonly result: JsonValue;
  readonly facts: ModelAnswerFacts | ToolAnswerFacts;
  readonly spent: Amounts;
}

export interface Question {
  /** The loop that asks: its output schema is the schema of the answer. */
  readonly loop: string;
  readonly version: string;
  readonly to: "person" | "agent";
  readonly role?: string;
  /** The ids of those who may not answer. */
  readonly excluded?: readonly string[];
  readonly withinMs?: number;
  /** What is asked. Content. */
  readonly request: JsonValue;
}

/** A wait of a flow for a signal. */
export interface SignalWait {
  /** The composite whose flow it stands in. */
  readonly loop: string;
  readonly version: string;
  /** Where it stands there, with the rounds, items and tries around it. */
  readonly path: string;
  /** The name of the signal. */
  readonly signal: string;
  /** What the signal has to bring. */
  readonly schema: JsonSchema;
  readonly withinMs: number;
}

/** A fan-out, by where it stands in the flow of its call, and its number of items. */
export interface FanOutWidth {
  readonly path: string;
  readonly items: number;
}

/** Which signals a prompt asks for. */
export interface SignalSpan {
  readonly name: string;
  /** Those that came since, on the wall, and stand after this sequence number. */
  readonly fromMs: number;
  readonly after: number;
  readonly most: number;
}

export interface HeardSignal {
  readonly sequence: number;
  readonly payload: JsonValue;
}

/** Until when a group is looked at, where that is recorded: what was said later is not seen. */
export type GroupMoment = "asked" | "closed";

/** The only way to an effect. */
export interface Journal {
  run(frame: Frame, action: Action): Promise<Outcome<Answer>>;
  /** Asks somebody outside, and answers with what they said. */
  ask(frame: Frame, question: Question): Promise<Outcome<JsonValue>>;
  /** Waits for a signal, and answers with what it brought; too late is a `TIMEOUT`. */
  waitForSignal(frame: Frame, wait: SignalWait): Promise<Outcome<JsonValue>>;
  /**
   * Waits for a time on the wall that follows from the record, unless a cancel comes first. Answers
   * with a pause where the turn is to be put down until then.
   */
  waitUntil(frame: Frame, untilMs: number): Promise<Paused | undefined>;
  /**
   * The most tokens that requests of the call have, as its record says: undefined where nothing is
   * recorded of them, and null where the record has no number.
   */
  findWindow(frame: Frame): { readonly tokens: number | null } | undefined;
  /** Keeps an output that a model is shown a part of; undefined where nothing is kept. */
  keep(frame: Frame, output: JsonValue): string | undefined;
  /**
   * Closes what items that were told to stop have open: requests are withdrawn, and nobody knows
   * what became of their claims.
   */
  withdraw(frame: Frame, items: readonly ItemPlace[]): void;
  /** The runs that calls in items of a fan-out have started, by the index of the item. */
  listRuns(frame: Frame, path: string): ReadonlyMap<number, ItemRuns>;
  /**
   * True where something was withdrawn in what stands at a path of the call, and nobody knows what
   * it came to.
   */
  leftUnknown(frame: Frame, path: string): boolean;
  /** What the log says of a group of the call's flow; undefined where nothing of it was held. */
  readGroup(frame: Frame, path: string, before?: GroupMoment): FoldedGroup | undefined;
  /** What a person was asked of it, by the sequence number of that. */
  findAsked(frame: Frame, path: string): number | undefined;
  /** What a member was given and gave, as it is kept. */
  readMember(member: GroupMember): Promise<{ input: JsonValue; result: JsonValue }>;
  /** Signals that came while a prompt was at work, in the order of the log. */
  listSignals(frame: Frame, span: SignalSpan): Promise<readonly HeardSignal[]>;
  /** What each item of a fan-out may spend, where each is a run of its own. */
  share(frame: Frame, fanOut: FanOutWidth): Amounts;
  /** What was kept under a handle, in this turn or an earlier one of the run. */
  readKept(handle: string): Promise<JsonValue | undefined>;
}
