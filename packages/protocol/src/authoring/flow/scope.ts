/** The names in scope at a node of a flow, as types, each with its value. */
import type { CallErrorCode } from "../../call-error.ts";
import type { FLOW_NAMES } from "../../loop/reserved-names.ts";
import type { Placeholder, Reference } from "../reference.ts";

export type TakenName<Names> = keyof Names | (typeof FLOW_NAMES)[number];

/** The names with others beside them, or in their place. */
export type WithNames<Names, More> = Omit<Names, keyof More> & More;

declare const maybe: unique symbol;

/** Marks a name that may have no value, since its node may have been skipped. */
export interface Unsure<Value> {
  readonly [maybe]: Value;
}

/** The sources that a mapping or a condition may refer to. */
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

/** The facts of an error. */
export interface KnownError {
  readonly code: CallErrorCode;
  readonly message: string;
  /** The words of the tool or the provider that failed, bounded: foreign text. */
  readonly reason?: string;
}

/** The result of a node. */
export interface Result<Output> {
  readonly status: "ok";
  readonly output: Output;
}

/** The result of a call. */
export interface CallResult<Output> extends Result<Output> {
  readonly callId: string;
  readonly loopId: string;
  readonly loopVersion: string;
}

/** The result of a fan-out, with the end of each item. */
export interface FanOutResult<Output> extends Result<Output> {
  readonly items: readonly {
    readonly index: number;
    readonly status: "ok" | "error" | "withdrawn";
    readonly code?: CallErrorCode;
  }[];
}

/** The result of a node whose failure is a result: it has either `output` or `error`. */
export interface Continued<Output> {
  readonly status: "ok" | "error";
  readonly output?: Output;
  readonly error?: KnownError;
}

/** An item of a fan-out that goes on after a failure. */
export type ItemOutcome<Output> =
  | { readonly status: "ok"; readonly output: Output }
  | { readonly status: "error"; readonly label?: string; readonly error: KnownError };
