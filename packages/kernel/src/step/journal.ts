/** The only way to an effect: what every call has of it, and what only a run adds. */
import type { Amounts, JsonSchema, JsonValue } from "@turnseal/protocol";
import type { FoldedGroup, GroupMember } from "@turnseal/protocol/receipts";
import type { Outcome, Paused } from "../outcome.ts";
import type { Frame } from "../resume/frame.ts";
import type { ItemPlace } from "../resume/item-place.ts";
import type { ItemRuns } from "../resume/list-item-runs.ts";
import type { Action, Answer } from "./action.ts";

/** The journal of any call. */
export interface Journal {
  run(frame: Frame, action: Action): Promise<Outcome<Answer>>;
  /**
   * Waits for a time on the wall that follows from the record, unless a cancel comes first. Answers
   * with a pause where the turn is to be put down until then.
   */
  waitUntil(frame: Frame, untilMs: number): Promise<Paused | undefined>;
}

/** The journal of a run: it can also reach people and other runs, and reads the log of the turn. */
export interface RunJournal extends Journal {
  /** Asks a question outside, and returns the answer. */
  ask(frame: Frame, question: Question): Promise<Outcome<JsonValue>>;
  /** Waits for a signal, and answers with what it brought; too late is a `TIMEOUT`. */
  waitForSignal(frame: Frame, wait: SignalWait): Promise<Outcome<JsonValue>>;
  /** Signals that came while a prompt was at work, in the order of the log. */
  listSignals(frame: Frame, span: SignalSpan): Promise<readonly HeardSignal[]>;
  /**
   * The most tokens in requests of the call, by its record: undefined without a record, and null
   * where the record has no number.
   */
  findWindow(frame: Frame): { readonly tokens: number | null } | undefined;
  /** True where a withdrawn part at a path of the call has an unknown end. */
  hasUnknownEffect(frame: Frame, path: string): boolean;
  /** Closes open parts of withdrawn items: withdraws requests, and leaves their claims unknown. */
  withdraw(frame: Frame, items: readonly ItemPlace[]): void;
  /** The runs that calls in items of a fan-out have started, by the index of the item. */
  listRuns(frame: Frame, path: string): ReadonlyMap<number, ItemRuns>;
  /** Returns the budget of each item of a fan-out whose items are runs. */
  share(frame: Frame, fanOut: FanOutWidth): Amounts;
  /** Reads a group of the call's flow from the log; undefined if none of it was held. */
  readGroup(frame: Frame, path: string, before?: GroupMoment): FoldedGroup | undefined;
  /** Returns the sequence number of the question about it. */
  findAsked(frame: Frame, path: string): number | undefined;
  /** Reads the stored input and result of a member. */
  readMember(member: GroupMember): Promise<{ input: JsonValue; result: JsonValue }>;
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
  /** Of a tool that needs an answer: its claim, and how many attempts of its call came before. */
  readonly of?: { readonly claim: number; readonly attempt: number };
}

/** A wait of a flow for a signal. */
export interface SignalWait {
  /** The composite whose flow it stands in. */
  readonly loop: string;
  readonly version: string;
  /** Its path, with the rounds, items and tries around it. */
  readonly path: string;
  /** The name of the signal. */
  readonly signal: string;
  /** The schema of the signal's payload. */
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
  /** Signals from this time on, by the wall clock, after this sequence number. */
  readonly fromMs: number;
  readonly after: number;
  readonly most: number;
}

export interface HeardSignal {
  readonly sequence: number;
  readonly payload: JsonValue;
}

/** The end of the view of a group, where that is recorded: later events are not seen. */
export type GroupMoment = "asked" | "closed";
