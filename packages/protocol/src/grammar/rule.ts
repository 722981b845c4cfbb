/** The language of the grammar of a log (spec/grammar.md §2). */
import type { FindingCode } from "../finding-codes.ts";

/** Any of these values; true: the field is there; false: it is not. */
export type Wanted = readonly unknown[] | boolean;

/** Paths of fields of an event, such as `content.claim`, by names of one's own. */
export type Fields = Readonly<Record<string, string>>;

/** The condition of an event on a thing, and the new state of the thing. */
export interface Rule {
  readonly name: string;
  /** The types of events that it is about, `vendor` among them; `*` for all. */
  readonly on: "*" | readonly string[];
  /** Types that it is not about. */
  readonly but?: readonly string[];
  /** The fields that those events have, with their values. */
  readonly when?: Readonly<Record<string, Wanted>>;
  /** The kind of thing; a rule without one is about the event alone. */
  readonly of?: string;
  /** The fields that name the thing; without them there is one of its kind. */
  readonly id?: readonly string[];
  /** The states in which the thing may be, or those in which it may not. */
  readonly from?: readonly string[];
  readonly not?: readonly string[];
  readonly to?: string;
  /** Fields of the event that the thing remembers. */
  readonly keep?: Fields;
  /** Fields that repeat a remembered value, if the thing is known. */
  readonly same?: Fields;
  /** A number one above the remembered one, and one where the thing is not there. */
  readonly next?: Fields;
  /** A time that is not before the remembered one. */
  readonly least?: Fields;
  /** A number below the remembered one. */
  readonly below?: Fields;
  /** How deep the thing may stand, and the fields that name the one of its kind above it. */
  readonly levels?: number;
  readonly under?: readonly string[];
  /** Values that the event must have. */
  readonly only?: Readonly<Record<string, Wanted>>;
  /** The finding for a broken rule. */
  readonly code: FindingCode;
  /** The rule in a sentence. */
  readonly says: string;
}

export interface Grammar {
  /** Kinds of things, by how long they are remembered: all of the run, or until the next turn. */
  readonly things: { readonly run: readonly string[]; readonly turn: readonly string[] };
  readonly rules: readonly Rule[];
}
