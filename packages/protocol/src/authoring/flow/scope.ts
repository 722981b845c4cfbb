/** What is known where a node of a flow stands, as types: each name with what it stands for. */
import type { CallErrorCode } from "../../call-error.ts";
import type { FLOW_NAMES } from "../../loop/reserved-names.ts";
import type { Placeholder, Reference } from "../reference.ts";

export type TakenName<Names> = keyof Names | (typeof FLOW_NAMES)[number];

/** The names with others beside them, or in their place. */
export type WithNames<Names, More> = Omit<Names, keyof More> & More;

declare const maybe: unique symbol;

/** What a name stands for that may stand for nothing: its node may have been skipped. */
export interface Unsure<Value> {
  readonly [maybe]: Value;
}

/** What a mapping or a condition is given. */
export type SourcesOf<Names> = {
  readonly [Name in keyof Names]: Names[Name] extends Unsure<infer Value>
    ? UnsureReference<Value>
    : Reference<Names[Name]>;
};

/** A reference that may lead to nothing; so may each of its fields. */
export type UnsureReference<Value> = Placeholder<Value | undefined> &
  (Value extends readonly (infer Item)[]
    ? { readonly [index: number]: UnsureReference<Item> }
    : Value extends object
      ? { readonly [Key in keyof Value]-?: UnsureReference<Value[Key]> }
      : unknown);

/** What is known of an error. */
export interface KnownError {
  readonly code: CallErrorCode;
  readonly message: string;
  /** The words of the tool or the provider that failed, bounded: foreign text. */
  readonly reason?: string;
}

/** What a node came to. */
export interface Result<Output> {
  readonly status: "ok";
  readonly output: Output;
}

/** What a call came to. */
export interface CallResult<Output> extends Result<Output> {
  readonly callId: string;
  readonly loopId: string;
  readonly loopVersion: string;
}

/** What a fan-out came to, with how each of its items ended. */
export interface FanOutResult<Output> extends Result<Output> {
  readonly items: readonly {
    readonly index: number;
    readonly status: "ok" | "error" | "withdrawn";
    readonly code?: CallErrorCode;
  }[];
}

/** What a node came to whose failure is a result: one of `output` and `error` is there. */
export interface Continued<Output> {
  readonly status: "ok" | "error";
  readonly output?: Output;
  readonly error?: KnownError;
}

/** An item of a fan-out that goes on after a failure. */
export type ItemOutcome<Output> =
  | { readonly status: "ok"; readonly output: Output }
  | { readonly status: "error"; readonly label?: string; readonly error: KnownError };
