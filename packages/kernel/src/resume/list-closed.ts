/** How the items of a fan-out ended that ended by themselves, as the log has it. */
import type { EventOf, LoopEvent } from "@turnseal/protocol";
import { type ClosedItem, findItem, type ItemOfCall, listItemCalls } from "./item-place.ts";
import { listHanded } from "./list-handed.ts";

type FanOutPlace = Pick<ItemOfCall, "call" | "path">;
type Closed = EventOf<"item.closed">;

/** In the order of the log. */
export function listClosed(
  events: readonly LoopEvent[],
  fanOut: FanOutPlace,
  idleMs: (before: number) => number,
): ClosedItem[] {
  const closed = events
    .filter((event) => event.type === "item.closed")
    .filter(({ call, content }) => call === fanOut.call && content.path === fanOut.path);
  const handed = listHanded(events, fanOut);
  if (handed.size > 0) return listSettled(events, { handed, closed, idleMs });
  const unknown = closed.length === 0 ? [] : listUnknown(events);
  const items = unknown.length === 0 ? new Map() : listItemCalls(events, fanOut);
  const skipped = closed.length === 0 ? new Set() : listSkipped(events, fanOut);
  return closed.flatMap(({ at, sequence, content }) => {
    const { index, status, code, denial } = content;
    if (status === "withdrawn") return [];
    const isUnknown =
      status === "error" &&
      unknown.some(
        ({ call, from, to }) => items.get(call) === index && from < sequence && sequence < to,
      );
    const atMs = Date.parse(at) - idleMs(sequence);
    const isSkipped = status === "ok" && skipped.has(index);
    const isDeclined = denial !== undefined;
    return [{ index, status, code, atMs, isUnknown, isDeclined, isSkipped }];
  });
}

/** Lists the items that were skipped as a whole, and not only in part. */
function listSkipped(
  events: readonly LoopEvent[],
  { call, path: fanOut }: FanOutPlace,
): ReadonlySet<number> {
  const indexes = events.flatMap((event) => {
    if (event.type !== "step.skipped" || event.call !== call) return [];
    const { path } = event.content;
    const index = findItem(path, fanOut);
    return index !== undefined && isWhole.test(path.slice(fanOut.length)) ? [index] : [];
  });
  return new Set(indexes);
}

const isWhole = /^\/(?:items|branches)\/\d+$/;

interface HandedItems {
  readonly handed: ReadonlyMap<string, number>;
  readonly closed: readonly Closed[];
  readonly idleMs: (before: number) => number;
}

/** Where items are runs: the end of a run is the end of its item, unless that was withdrawn. */
function listSettled(
  events: readonly LoopEvent[],
  { handed, closed, idleMs }: HandedItems,
): ClosedItem[] {
  const ofKernel = new Map(closed.map((event) => [event.sequence, event.content]));
  const withdrawn = new Set(
    closed.flatMap(({ content: { status, index } }) => (status === "withdrawn" ? [index] : [])),
  );
  return events.flatMap((event): ClosedItem[] => {
    const atMs = Date.parse(event.at) - idleMs(event.sequence);
    const said = ofKernel.get(event.sequence);
    if (said !== undefined) {
      const { index, status, code, denial } = said;
      const isDeclined = denial !== undefined;
      return status === "withdrawn" ? [] : [{ index, status, code, atMs, isDeclined }];
    }
    if (event.type !== "action.settled") return [];
    const index = handed.get(event.content.key);
    if (index === undefined || withdrawn.has(index)) return [];
    const isOk = event.content.status === "ok";
    return [
      { index, status: isOk ? "ok" : "error", code: isOk ? undefined : "CHILD_FAILED", atMs },
    ];
  });
}

interface Unknown {
  readonly call: string;
  /** Between these two events its end was unknown. */
  readonly from: number;
  readonly to: number;
}

/** Effects whose calls failed since nobody knew their end, and were not withdrawn with an item. */
function listUnknown(events: readonly LoopEvent[]): Unknown[] {
  const said = events
    .filter((event) => event.type === "action.unknown")
    .filter(({ content }) => content.status === "timed-out");
  if (said.length === 0) return [];
  const ends = new Map(
    events.flatMap((event) =>
      event.type === "action.settled" || event.type === "action.resolved"
        ? [[event.content.claim, event.sequence]]
        : [],
    ),
  );
  const withdrawn = listWithdrawn(events);
  return said.flatMap(({ call, sequence: from, content: { claim } }) => {
    if (call === undefined || withdrawn.has(call)) return [];
    return [{ call, from, to: ends.get(claim) ?? Number.POSITIVE_INFINITY }];
  });
}

/** Lists the calls of all withdrawn items. */
function listWithdrawn(events: readonly LoopEvent[]): ReadonlySet<string> {
  const fanOuts = new Map<string, Closed[]>();
  for (const event of events) {
    if (event.type !== "item.closed" || event.content.status !== "withdrawn") continue;
    const name = `${event.call} ${event.content.path}`;
    fanOuts.set(name, [...(fanOuts.get(name) ?? []), event]);
  }
  const calls = new Set<string>();
  for (const [first, ...others] of fanOuts.values()) {
    if (first?.call === undefined) continue;
    const indexes = new Set([first, ...others].map(({ content }) => content.index));
    const items = listItemCalls(events, { call: first.call, path: first.content.path });
    for (const [call, index] of items) if (indexes.has(index)) calls.add(call);
  }
  return calls;
}
