/**
 * One entry of a session: what happened, and where it stands.
 *
 * 1. A session is an ordered list of envelopes. The list is a view of the run's log: `sequence` is
 *    the number of the event that an envelope was made from, and one event may give several.
 * 2. `id` is `<run>/<sequence>.<index>`, and names the place: a reader continues after the last one
 *    that it has.
 */
import type { EventContents } from "./event-content.ts";
import type { EventType } from "./event-types.ts";

export type EventEnvelopeOf<Type extends EventType, Timestamp = string> = {
  readonly [Each in Type]: {
    readonly id: string;
    readonly run: string;
    readonly sequence: number;
    readonly type: Each;
    readonly content: EventContents[Each];
    /** ISO 8601 on the wire; inside a program it may be a Date. */
    readonly createdAt: Timestamp;
    /** The turn that it belongs to, `<run>/<turn>`; absent for what happens between turns. */
    readonly generationId?: string;
    /**
     * The key of its live pieces: `<key>.<part>` for an answer of the model, `<key>` for a tool
     * that is executed.
     */
    readonly message?: string;
    /** Its content is erased: texts are empty and values null. */
    readonly erased?: true;
  };
}[Type];

/** One entry of a session; a switch on `type` narrows `content`. */
export type EventEnvelope<Timestamp = string> = EventEnvelopeOf<EventType, Timestamp>;

/** The place of an envelope: the event of the log, and which of its envelopes. */
export interface EnvelopePlace {
  readonly run: string;
  readonly sequence: number;
  readonly index: number;
}

/** Writes the id of an envelope. */
export function formatEnvelopeId({ run, sequence, index }: EnvelopePlace): string {
  return `${run}/${sequence}.${index}`;
}

const idPattern = /^([0-9a-f-]{36})\/([1-9]\d{0,14})\.(0|[1-9]\d{0,5})$/;

/** Reads the id of an envelope; undefined when it is none. */
export function parseEnvelopeId(id: string): EnvelopePlace | undefined {
  const match = idPattern.exec(id);
  if (match === null) return undefined;
  const [, run = "", sequence, index] = match;
  return { run, sequence: Number(sequence), index: Number(index) };
}

/** A turn as sessions name it. */
export function formatGenerationId(run: string, turn: number): string {
  return `${run}/${turn}`;
}

const generationPattern = /^([0-9a-f-]{36})\/([1-9]\d{0,14})$/;

/** Reads the name of a turn; undefined when it is none. */
export function parseGenerationId(
  id: string,
): { readonly run: string; readonly turn: number } | undefined {
  const match = generationPattern.exec(id);
  if (match === null) return undefined;
  const [, run = "", turn] = match;
  return { run, turn: Number(turn) };
}
