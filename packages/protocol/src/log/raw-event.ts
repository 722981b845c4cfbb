/**
 * An event as a stranger hands it over, or as whoever distrusts its writer reads it: its envelope
 * is one, and what it says is any JSON. A verifier believes no field of it before it has looked.
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

/** A typed event or a raw one, for whoever is asked by both and believes neither. */
export interface AnyEvent extends Omit<RawEvent, "content"> {
  readonly content: object;
}

/** The event as whoever distrusts it reads it: a typed content is plain JSON, too. */
export function toRaw(event: AnyEvent): RawEvent {
  // An interface has no index signature, so that the compiler cannot see it.
  return event as RawEvent;
}
