import { type Head, invariant, type LoopEvent } from "@turnseal/protocol";
import type { Append } from "./event-log.ts";

/**
 * Holds an append to its form, for every store alike, and answers with its last event.
 *
 * Whether it fits the log is for the store to say; that it does not fit itself is a bug of the
 * writer, and throws.
 */
export function checkAppend({
  run,
  epoch,
  after,
  events,
  receipt,
  snapshot,
  graph,
}: Append): LoopEvent {
  let head: Head = after;
  for (const event of events) {
    const place = `event ${event.sequence} of an append`;
    invariant(event.run === run && event.epoch === epoch, `${place} is of another run or epoch`);
    invariant(event.sequence === head.sequence + 1, `${place} follows event ${head.sequence}`);
    invariant(event.previous === head.hash, `${place} names another event as its previous one`);
    head = event;
  }
  const last = events.at(-1);
  invariant(last !== undefined, "an append has at least one event");
  invariant((receipt?.run ?? run) === run, "the receipt of an append is of another run");
  invariant((snapshot?.run ?? run) === run, "the snapshot of an append is of another run");
  const seen = snapshot?.sequence ?? 0;
  invariant(seen <= last.sequence, "the snapshot of an append has seen later events");
  const isNext = graph === undefined || graph.from === 0 || graph.from === after.sequence;
  invariant(isNext, "the graph of an append stands elsewhere than its log");
  const asked = (snapshot?.waiting ?? []).map(({ sequence }) => sequence);
  const isOrdered = asked.every((sequence, index) => sequence > (asked[index - 1] ?? 0));
  invariant(isOrdered, "what the snapshot of an append waits for is in order of sequence");
  return last;
}
