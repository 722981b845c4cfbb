/**
 * An event from a foreign source, as a verifier reads it: a valid envelope with any JSON as
 * content. A verifier checks each field before it uses it.
 */
import type { Actor } from "../actor.ts";
import type { JsonObject } from "../canonical-json.ts";

export interface RawEvent {
  readonly id: string;
  readonly run: string;
  readonly sequence: number;
  readonly epoch: number;
  readonly type: string;
  readonly at: string;
  readonly actor: Actor;
  readonly turn?: number;
  readonly call?: string;
  readonly parentCall?: string;
  readonly content: JsonObject;
  readonly previous: string;
  readonly hash: string;
}

/** A typed event or a raw one, for code that reads both and trusts neither. */
export interface AnyEvent extends Omit<RawEvent, "content"> {
  readonly content: object;
}

/** The event for code that does not trust it: typed content is plain JSON, too. */
export function toRaw(event: AnyEvent): RawEvent {
  // An interface has no index signature, so that the compiler cannot see it.
  return event as RawEvent;
}
