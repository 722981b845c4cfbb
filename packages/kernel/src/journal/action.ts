/** One effect on the world, before it happens. */
import type { Amounts, Effect, JsonObject, JsonValue, Reconciliation } from "@turnseal/protocol";
import type { Frame } from "../frame.ts";
import type { Outcome } from "../outcome.ts";

export interface Action {
  readonly kind: "tool" | "model";
  /** The tool or the backend, for messages. */
  readonly name: string;
  /** Which action of its call this is, from zero. */
  readonly ordinal: number;
  /**
   * What may be done about an earlier attempt whose end nobody knows. A model may simply be asked
   * again.
   */
  readonly effect: Effect | "repeatable";
  /** Facts that the claim records. */
  readonly facts: JsonObject;
  /** What is asked. Content: recorded by digest only. */
  readonly request: JsonValue;
  /**
   * For a model: what this request adds to the conversation. Earlier parts are named by one digest,
   * never copied.
   */
  added?(): readonly ContextItem[];
  /** At most what it can cost. */
  reserve(): Amounts;
  /** What an attempt costs that is refused. */
  readonly attempt: Amounts;
  act(given: ActGiven): Promise<Answer>;
  /** Asks the tool what became of an earlier attempt. */
  reconcile?(key: string, asking: { readonly epoch: number }): Promise<Reconciliation>;
}

/** One message of a conversation. */
export interface ContextItem {
  readonly role: "system" | "user" | "assistant" | "tool";
  readonly value: JsonValue;
  readonly toolCallId?: string;
}

/** What the doer is told: the same key for every attempt, so that it can act once. */
export interface ActGiven {
  readonly key: string;
  readonly epoch: number;
  readonly signal: AbortSignal;
  readonly deadlineAt: string;
}

/** What an act gave: its result as content, facts for the record, and what it cost. */
export interface Answer {
  readonly result: JsonValue;
  readonly facts: JsonObject;
  readonly spent: Amounts;
}

/** The only way to an effect. */
export interface Journal {
  run(frame: Frame, action: Action): Promise<Outcome<Answer>>;
}
