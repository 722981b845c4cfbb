/** The state of a run about a provider without an answer. */
import type { Amounts, CallErrorCode, PeriodKind, Unit } from "@turnseal/protocol";

/** A provider that gave no answer. */
export interface Provider {
  /** `away` may end by itself; `closed` needs a person. */
  readonly is: "away" | "closed";
  /** `backend/model`. */
  readonly model: string;
  /** The class of its failure; `TIMEOUT` where it said nothing in time. */
  readonly failure: string;
  /** The reservation of the request. */
  readonly reserve: Amounts;
  /** The call that its failure has reached: the asking one, or one around it. */
  readonly call: string;
  /** How the call below that one has failed; absent for the asking call. */
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
  /** The actions that a restarted turn repeats: a person has to allow that. */
  readonly repeats?: readonly string[];
  /** True once the decision to wait is recorded. */
  readonly isWaited?: true;
  /** True once a person wants another try. */
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
  /** The turn would begin again, and repeat its actions. */
  | { readonly kind: "repeats" }
  /** A cap has no room for the next turn. */
  | { readonly kind: "budget"; readonly unit: Unit; readonly period?: PeriodKind };
