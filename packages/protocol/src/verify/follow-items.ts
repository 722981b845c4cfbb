/**
 * Follows the items of fan-outs (spec/receipt.md §6.6).
 *
 * 1. Each item belongs to a fixed list, and an item that has ended begins nothing.
 * 2. Each ends once, and not before the calls in it have; a run as an item ends with that run.
 * 3. A run that is an item gets no more than its share.
 * 4. A call ends when all items of its fan-outs have, but for those in an item that was withdrawn.
 */
import { isPlainObject, type JsonValue } from "../canonical-json.ts";
import type { RawEvent } from "../log/raw-event.ts";
import { isCount } from "../shape.ts";
import { type Finding, finding } from "./finding.ts";
import { createItemNames, type ItemNames } from "./item-names.ts";

export interface ItemFollower {
  follow(event: RawEvent): Finding[];
}

/** The beginnings of a call, which are faults in an item that has ended. */
const begins: ReadonlySet<string> = new Set([
  ...["call.started", "action.claimed", "approval.requested", "question.asked", "cache.hit"],
]);

interface FanOut {
  readonly size: JsonValue | undefined;
  /** The budget of each item, if each is a run of its own. */
  readonly share: JsonValue | undefined;
  /** The items that it stands in. */
  readonly around: Within;
  ended: number;
}

/** Items that stand in each other, the innermost first. Calls share those around them. */
type Within = { readonly item: string; readonly outer: Within } | undefined;

/** The state of the items of one turn. */
interface ItemBook {
  readonly fanOuts: Map<string, FanOut>;
  readonly fanOutsOf: Map<string, FanOut[]>;
  /** How items ended. */
  readonly ends: Map<string, "withdrawn" | "by-itself">;
  readonly names: ItemNames;
  readonly within: Map<string, Within>;
  /** The number of open calls in an item, apart from calls in an inner item that was withdrawn. */
  readonly open: Map<string, number>;
  /** The items that were withdrawn: what goes on in one counts nowhere around it. */
  readonly left: Set<string>;
  /** For items that are runs: the key of each, the item of each key, and the claimed ones. */
  readonly keys: Map<string, string>;
  readonly handed: Map<string, HandedRun>;
  readonly claimed: Set<string>;
}

interface HandedRun {
  readonly item: string;
  readonly fanOut: FanOut;
}

function openBook(): ItemBook {
  return {
    ...{ fanOuts: new Map(), fanOutsOf: new Map(), ends: new Map(), within: new Map() },
    ...{ open: new Map(), keys: new Map(), handed: new Map(), claimed: new Set() },
    ...{ left: new Set(), names: createItemNames() },
  };
}

export function followItems(): ItemFollower {
  let book = openBook();
  return {
    follow: (event) => {
      if (event.type === "turn.started") {
        book = openBook();
        return [];
      }
      const { sequence, turn } = event;
      const place = { sequence, ...(turn === undefined ? {} : { turn }) };
      return [
        ...(isSound(book, event)
          ? []
          : [finding("TURN_ORDER", "an item of a fan-out is not as it was fixed", place)]),
        ...(isWithinShare(book, event)
          ? []
          : [finding("GRANT_WIDENED", "the run of an item has more than its share", place)]),
      ];
    },
  };
}

function isSound(book: ItemBook, event: RawEvent): boolean {
  switch (event.type) {
    case "fanout.fixed":
      return fix(book, event);
    case "item.closed":
      return close(book, event);
    case "child.started":
      return start(book, event);
    case "action.settled":
      return settle(book, event);
    case "call.completed":
    case "call.errored":
      return endCall(book, event);
    default:
      if (!begins.has(event.type)) return true;
      return areOpen(book, itemsOf(book, event)) && handOver(book, event);
  }
}

function itemsOf({ within, names }: ItemBook, { call = "", content: { path } }: RawEvent): Within {
  const own = typeof path === "string" ? names.listItems(call, path) : [];
  return own.reduce<Within>((outer, item) => ({ item, outer }), within.get(call));
}

function* walk(within: Within): Iterable<string> {
  for (let at = within; at !== undefined; at = at.outer) yield at.item;
}

function areOpen({ ends }: ItemBook, within: Within): boolean {
  for (const item of walk(within)) if (ends.has(item)) return false;
  return true;
}

/** Counts calls that begin or end in an item, in all that it stands in. */
function count({ open, left }: ItemBook, within: Within, calls: number): void {
  for (const item of walk(within)) {
    open.set(item, (open.get(item) ?? 0) + calls);
    if (left.has(item)) return;
  }
}

function fix(book: ItemBook, event: RawEvent): boolean {
  const { call = "", content } = event;
  const { path, items: size, share } = content;
  if (typeof path !== "string") return false;
  const name = book.names.nameFanOut(call, path);
  const isFirst = !book.fanOuts.has(name);
  const fanOut = { size, share, around: itemsOf(book, event), ended: 0 };
  book.fanOuts.set(name, fanOut);
  const others = book.fanOutsOf.get(call);
  if (others === undefined) book.fanOutsOf.set(call, [fanOut]);
  else others.push(fanOut);
  return isFirst;
}

function start(book: ItemBook, event: RawEvent): boolean {
  const { child } = event.content;
  const items = itemsOf(book, event);
  if (typeof child === "string" && items !== undefined) {
    book.within.set(child, items);
    count(book, items, 1);
  }
  return areOpen(book, items);
}

function close(book: ItemBook, event: RawEvent): boolean {
  const { call = "", content } = event;
  const { path, index, status } = content;
  if (typeof path !== "string" || !isCount(index)) return false;
  const fanOut = book.fanOuts.get(book.names.nameFanOut(call, path));
  const item = book.names.nameItem(call, path, index);
  const isFirst = fanOut !== undefined && isBelow(index, fanOut.size) && !book.ends.has(item);
  const isOver = status === "withdrawn" ? leave(book, item, fanOut) : isIdle(book, item);
  if (isFirst) end(book, item, fanOut, status === "withdrawn" ? "withdrawn" : "by-itself");
  return isFirst && isOver;
}

function end({ ends }: ItemBook, item: string, fanOut: FanOut, how: "withdrawn" | "by-itself") {
  ends.set(item, how);
  fanOut.ended += 1;
}

/** True if no call in it is open, and no run in its place. */
function isIdle({ open, claimed }: ItemBook, item: string): boolean {
  return (open.get(item) ?? 0) === 0 && !claimed.has(item);
}

/** The calls of an item that was withdrawn end with it, for all that stands around it. */
function leave(book: ItemBook, item: string, fanOut: FanOut | undefined): true {
  count(book, fanOut?.around, -(book.open.get(item) ?? 0));
  book.left.add(item);
  return true;
}

/** An item that is a run has one key, which no other has. */
function handOver(book: ItemBook, { type, call = "", content }: RawEvent): boolean {
  const { item: place, key } = content;
  if (place === undefined) return true;
  if (!isPlainObject(place)) return false;
  const { path, index } = place;
  if (typeof path !== "string" || !isCount(index) || typeof key !== "string") return false;
  const fanOut = book.fanOuts.get(book.names.nameFanOut(call, path));
  const item = book.names.nameItem(call, path, index);
  if (fanOut?.share === undefined || !isBelow(index, fanOut.size)) return false;
  const run = book.handed.get(key) ?? { item, fanOut };
  const isItsOwn = (book.keys.get(item) ?? key) === key && run.item === item;
  if (!isItsOwn || !areOpen(book, { item, outer: fanOut.around })) return false;
  book.keys.set(item, key);
  book.handed.set(key, run);
  if (type === "action.claimed") book.claimed.add(item);
  return true;
}

/** The end of a run is the end of its item, unless that was withdrawn. */
function settle(book: ItemBook, { content: { key } }: RawEvent): boolean {
  const run = typeof key === "string" ? book.handed.get(key) : undefined;
  if (run !== undefined && !book.ends.has(run.item)) end(book, run.item, run.fanOut, "by-itself");
  return true;
}

function endCall(book: ItemBook, { call = "" }: RawEvent): boolean {
  count(book, book.within.get(call), -1);
  return (book.fanOutsOf.get(call) ?? []).every(
    ({ ended, size, around }) => ended === size || isWithdrawn(book, around),
  );
}

function isWithdrawn({ ends }: ItemBook, within: Within): boolean {
  for (const item of walk(within)) if (ends.get(item) === "withdrawn") return true;
  return false;
}

function isWithinShare({ handed }: ItemBook, { type, content }: RawEvent): boolean {
  const { item, key, grant } = content;
  if (type !== "action.claimed" || item === undefined || typeof key !== "string") return true;
  const { share } = handed.get(key)?.fanOut ?? {};
  if (share === undefined) return true;
  const budget = isPlainObject(grant) ? grant["budget"] : undefined;
  if (!isPlainObject(share) || !isPlainObject(budget)) return false;
  return Object.entries(share).every(([unit, most]) => isAtMost(budget[unit], most));
}

function isAtMost(amount: unknown, most: unknown): boolean {
  return isCount(amount) && isCount(most) && amount <= most;
}

function isBelow(index: number, size: JsonValue | undefined): boolean {
  return isCount(size) && index < size;
}
