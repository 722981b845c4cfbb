/** The output types of each kind of node. */
import type { Tolerance } from "../../loop/flow-spec.ts";
import type { SchemaSource } from "../json-schema-source.ts";
import type { OutputOfBody } from "./node-options.ts";
import type { ItemOutcome, TakenName, WithNames } from "./scope.ts";

export type InRound<Names, Last> = WithNames<Names, { round: number; last: Last }>;

export type AsOf<Given> = Given extends { readonly as: infer As extends string } ? As : "item";
export type InItem<Names, Item, As extends string> = WithNames<
  Names,
  { readonly [Name in As]: Item } & { readonly [Name in `${As}Index`]: number }
>;
export type FreeAs<Names, Given> =
  AsOf<Given> extends Exclude<TakenName<Names>, "item">
    ? { readonly as: `${AsOf<Given>} is taken` }
    : unknown;

/** The joined output of a fan-out's items. */
export type Joined<Given, All, One> = Given extends { readonly join: "any" }
  ? One
  : Given extends { readonly join: { readonly quorum: number } }
    ? One[]
    : All;
export type GoesOn<Given> = Given extends
  | { readonly onItemError: "continue" }
  | { readonly tolerate: Tolerance }
  ? true
  : false;
export type Item<Given, Output> = GoesOn<Given> extends true ? ItemOutcome<Output> : Output;
export type EachOf<Given, Bodies extends readonly unknown[]> = {
  -readonly [Index in keyof Bodies]: Item<Given, OutputOfBody<Bodies[Index]>>;
};

export type ElseOutput<Given> = Given extends { readonly else: infer Else }
  ? OutputOfBody<Else>
  : null;
export type TimedOut<Given> = Given extends { readonly onTimeout: "continue" } ? null : never;
export type SignalOutput<Given> = Given extends { readonly schema: SchemaSource<infer Value> }
  ? Value
  : unknown;
/** A repetition that asks before its first round may have none. */
export type NoRound<Given> = Given extends { readonly while: unknown } ? null : never;
