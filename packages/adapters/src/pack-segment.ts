/**
 * The events of one append as one row: a segment of the log, read by the range of its sequence
 * numbers. Its text is an array of the canonical JSON of each event, without the row's own columns:
 * the run and the sequence.
 */
import { StoreError } from "@turnseal/ports";
import { canonicalize, type LoopEvent } from "@turnseal/protocol";
import { packText, unpackText } from "./pack-text.ts";

/** Which events of a run a row holds. */
export interface SegmentRow {
  readonly run: string;
  readonly first: number;
  readonly last: number;
  readonly body: Uint8Array;
}

/** The range of a read. */
export interface EventRange {
  readonly from: number;
  readonly limit: number;
}

export function packSegment(events: readonly LoopEvent[]): Uint8Array {
  return packText(`[${events.map(renderBody).join()}]`);
}

/** An event without its run and sequence. */
function renderBody({ run: _, sequence: __, ...body }: LoopEvent): string {
  return canonicalize(body);
}

/**
 * Unpacks the events of a row; a row with other content than its columns means that the store is
 * damaged.
 */
export function unpackSegment({ run, first, last, body }: SegmentRow): LoopEvent[] {
  let list: unknown;
  try {
    list = JSON.parse(unpackText(body));
  } catch (error) {
    throw corrupt(first, error);
  }
  if (!Array.isArray(list) || list.length !== last - first + 1) throw corrupt(first);
  return list.map((one: unknown, index) => {
    if (typeof one !== "object" || one === null) throw corrupt(first);
    // The row was appended as an event, and cannot change.
    return { ...one, run, sequence: first + index } as unknown as LoopEvent;
  });
}

/** Where reading begins: a log has no event before its first. */
export function toRange(from: number, limit: number): EventRange {
  return { from: Math.max(from, 1), limit };
}

/** The events of a range, from the rows that hold any of them, in order. */
export function cutRange(rows: readonly SegmentRow[], { from, limit }: EventRange): LoopEvent[] {
  const events = rows.flatMap(unpackSegment).filter(({ sequence }) => sequence >= from);
  return events.slice(0, limit);
}

/** True when a row holds exactly this event. */
export function holdsEvent(row: SegmentRow, event: LoopEvent): boolean {
  const found = unpackSegment(row)[event.sequence - row.first];
  return found !== undefined && canonicalize(found) === canonicalize(event);
}

function corrupt(first: number, cause?: unknown): StoreError {
  return new StoreError("STORE_CORRUPT", `the segment from event ${first} cannot be read`, cause);
}
