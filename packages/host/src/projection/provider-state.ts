/** What the state of a run says of a provider that gave no answer. */
import type { Amounts, CallErrorCode, PeriodKind, Unit } from "@turnseal/protocol";

/** A provider that gave no answer. */
export interface Provider {
  /** Whether it may come back by itself, or somebody has to do something first. */
  readonly is: "away" | "closed";
  /** `backend/model`. */
  readonly model: string;
  /** The class of its failure; `TIMEOUT` where it said nothing in time. */
  readonly failure: string;
  /** What the request had reserved. */
  readonly reserve: Amounts;
  /** The call that its failure has come to: the one that asked, or one around it. */
  readonly call: string;
  /** How the call below that one has failed; absent for the one that asked. */
  readonly code?: CallErrorCode;
}

/** A provider that is waited for. */
export interface Outage extends Pick<Provider, "model" | "failure"> {
  /** ISO 8601: when the first of the turns in a row was closed that ended so. */
  readonly since: string;
  /** How many there were in a row. */
  readonly tries: number;
  /** ISO 8601: when the next turn begins; absent when only somebody's word begins one. */
  readonly until?: string;
  /** Why only somebody's word begins one; absent where `until` says when. */
  readonly parked?: Parked;
  /** What a turn that begins anew would do again: a person's own word is needed for that. */
  readonly repeats?: readonly string[];
  /** True once the decision to wait is recorded. */
  readonly isWaited?: true;
  /** True once somebody has said to try again. */
  readonly isAsked?: true;
}

/** Why a provider is not asked again without a person. */
export type Parked =
  /** Somebody has to do something first. */
  | { readonly kind: "closed" }
  /** It was waited for as long as the bounds of the run say. */
  | { readonly kind: "time-over" }
  /** It asks to be left alone for longer than that. */
  | { readonly kind: "asked-longer" }
  /** The turn begins anew, and would do again what it did. */
  | { readonly kind: "repeats" }
  /** A cap has no room for the next turn. */
  | { readonly kind: "budget"; readonly unit: Unit; readonly period?: PeriodKind };
