/** The options of every node, and what they do to its type. */
import type { ErrorRule, RetrySpec } from "../../loop/flow-spec.ts";
import type { Placeholder } from "../reference.ts";
import type { Continued, Result, SourcesOf, Unsure } from "./scope.ts";

/** An expression of true or false. */
export type Condition<Names> = (sources: SourcesOf<Names>) => Placeholder<boolean>;

/** A body that begins where these names are known. `Begin` makes it, so that types go one way. */
export interface NodeOptions<Names, Otherwise = unknown> {
  /** Where it is false the node is skipped, and its name stands for nothing. */
  readonly when?: Condition<Names>;
  /** One line for people. */
  readonly summary?: string | ((sources: SourcesOf<Names>) => Placeholder<string>);
  readonly retry?: RetrySpec;
  /** Runs once, after the last try; it knows `error`. */
  readonly otherwise?: Otherwise;
  /** `fail` if absent. `skip`: its name has no value. `continue`: its name has the error. */
  readonly onError?: ErrorRule;
  /** False: what reads its result is skipped when it failed, and all else goes on. */
  readonly critical?: boolean;
  readonly timeoutMs?: number;
}

declare const endsWith: unique symbol;

/** The output of a body. */
export interface Gives<Output> {
  readonly [endsWith]: Output;
}

/** The output of a function that writes a body. */
export type OutputOfBody<Body> = Body extends (...given: never) => Gives<infer Output>
  ? Output
  : never;

/** The type error for options that no node of this kind has. */
export type Known<Given, Allowed> = {
  readonly [Name in keyof Given]: Name extends keyof Allowed
    ? unknown
    : { "this node has no such option": never };
};

type OtherwiseOutput<Given> = Given extends { readonly otherwise: infer Body }
  ? OutputOfBody<Body>
  : never;

type Has<Given, Name extends PropertyKey, Value> =
  Given extends Readonly<Record<Name, infer Found>> ? (Value extends Found ? true : false) : false;

type MayBeSkipped<Given> = Given extends { readonly when: unknown }
  ? true
  : Has<Given, "onError", "skip"> extends true
    ? true
    : Has<Given, "critical", false>;

type AfterOtherwise<Came extends Result<unknown>, Given> = [OtherwiseOutput<Given>] extends [never]
  ? Came
  : Result<Came["output"] | OtherwiseOutput<Given>>;

type AfterError<Came extends Result<unknown>, Given> =
  Has<Given, "onError", "continue"> extends true ? Continued<Came["output"]> : Came;

/** The value behind the name of a node for later nodes. */
export type Bound<Came extends Result<unknown>, Given> =
  MayBeSkipped<Given> extends true
    ? Unsure<AfterError<AfterOtherwise<Came, Given>, Given>>
    : AfterError<AfterOtherwise<Came, Given>, Given>;

/**
 * The output of a sequence that ends with this node: if it was skipped, that of the node before.
 */
export type LastOf<Came extends Result<unknown>, Given, Before> =
  | AfterOtherwise<Came, Given>["output"]
  | (Has<Given, "onError", "continue"> extends true ? null : never)
  | (MayBeSkipped<Given> extends true ? Before : never);
