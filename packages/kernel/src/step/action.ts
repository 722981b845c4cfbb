/** One effect on the world, before it happens. */
import type { Clock } from "@turnseal/ports";
import type {
  Amounts,
  ClaimEffect,
  Effect,
  HandoffFacts,
  JsonValue,
  ModelAnswerFacts,
  ModelFacts,
  ModelMessage,
  RateLimitSpec,
  Rejection,
  ToolAnswerFacts,
  ToolFacts,
} from "@turnseal/protocol";
import type { Reconciliation, ToolAnswer } from "@turnseal/protocol/authoring";
import type { Tail } from "../context/tail.ts";
import type { ThreadStep } from "../context/thread-step.ts";
import type { Judgement } from "../judgement.ts";
import type { RecordedChanges } from "../log/run-artifacts.ts";
import type { Outcome } from "../outcome.ts";

export interface Action {
  readonly kind: "tool" | "model" | "handoff";
  /** The tool, the backend or the loop that is handed to, for messages. */
  readonly name: string;
  /** Which action of its call this is, from zero. */
  readonly ordinal: number;
  /** How an earlier attempt with an unknown end is resolved. A model may simply be asked again. */
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
  /** For a model: the end of this request alone. */
  readonly tail?: Tail;
  /** For a model: earlier messages that are left out from this request on. Content. */
  readonly leftOut?: readonly JsonValue[];
  /** At most what it can cost. */
  reserve(): Amounts;
  /** The cost of a refused attempt. */
  readonly attempt: Amounts;
  /** How its effect can be undone, for the people who approve it. */
  readonly undo?: string;
  /** The facts for the rules. An action without them is not judged by rules. */
  readonly judged?: JudgedFacts;
  /** For an action that stands for others: the rules' decision on all of them together. */
  judgeAll?(): Judgement;
  /** The same action with another request, if that is allowed. */
  revise?(request: JsonValue): Outcome<Action>;
  /** The same action with the answer that it needs, and its loop, which asks. */
  readonly asking?: AskingTool;
  act(given: ActGiven): Promise<Answer>;
  /** The live output of the latest attempt. Content. */
  shown?(): { readonly text: string; readonly isCut: boolean } | undefined;
  /** Records what the latest attempt changed of managed files, in the moment of settling it. */
  record?(): RecordedChanges | undefined;
  /** The rate limit that counts it, also for other workers. */
  readonly limit?: RateLimitSpec;
  /** False where its recorded result is not needed. */
  readonly isWanted?: boolean;
  /** Returns the action that replaces it after a failure of this class, if there is one. */
  instead?(failure: string): Action | undefined;
  /** Asks the tool what became of an earlier attempt. */
  reconcile?(key: string, asking: { readonly epoch: number }): Promise<Reconciliation>;
}

/** A tool that can ask in the middle of its call. */
export interface AskingTool {
  readonly loop: string;
  readonly version: string;
  /** `claim` is the claim whose question is answered. */
  continueWith(answered: ToolAnswer, claim: number): Action;
}

/** The facts of a tool call, for the rules. */
export interface JudgedFacts {
  /** The loop that stands for the tool. */
  readonly loop: string;
  readonly tool: { readonly name: string; readonly version: string; readonly effect: Effect };
  readonly args: JsonValue;
  readonly grant: object;
  readonly needs: object;
  /** The roles whose approval the terms of the grant want. */
  readonly approvals: readonly string[];
  /** The tool's own decision. Called only when it is about to act. */
  readonly gate?: () => unknown;
  /** The effect of a rejection where the tool alone asks. By default the caller gets an error. */
  readonly onReject?: Rejection;
}

/** The arguments of `act`: the same key for every attempt, so that the effect happens once. */
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

/** The result of an act: as content, with facts for the record, and its cost. */
export interface Answer {
  readonly result: JsonValue;
  readonly facts: ModelAnswerFacts | ToolAnswerFacts;
  readonly spent: Amounts;
}
