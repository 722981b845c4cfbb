/**
 * Follows the items of fan-outs (spec/receipt.md §6.6): each ends once, after its list was fixed,
 * and nothing is begun in one that has ended.
 */
import type { JsonValue } from "../canonical-json.ts";
import type { RawEvent } from "../log/raw-event.ts";
import { isCount } from "../shape.ts";
import { type Finding, finding } from "./finding.ts";

export interface ItemFollower {
  follow(event: RawEvent): Finding[];
}

/** What is begun by a call, in whose item it must not be too late for it. */
const begins: ReadonlySet<string> = new Set([
  ...["call.started", "action.claimed", "approval.requested", "question.asked", "cache.hit"],
]);

export function followItems(): ItemFollower {
  /** The number of items of each fan-out, and the ends of those, by call and path. */
  let sizes = new Map<string, JsonValue | undefined>();
  let closed = new Set<string>();
  /** The items that a call stands in, the innermost last. */
  let within = new Map<string, readonly string[]>();

  const itemsOf = ({ call = "", content: { path } }: RawEvent): string[] => {
    const own = typeof path === "string" ? listItems(call, path) : [];
    return [...(within.get(call) ?? []), ...own];
  };
  const start = (event: RawEvent): boolean => {
    const { child } = event.content;
    const items = itemsOf(event);
    if (typeof child === "string" && items.length > 0) within.set(child, items);
    return items.every((item) => !closed.has(item));
  };
  const close = ({ call = "", content: { path, index } }: RawEvent): boolean => {
    if (typeof path !== "string" || !isCount(index)) return false;
    const size = sizes.get(nameFanOut(call, path));
    const item = nameItem(call, path, Number(index));
    const isFirst = isCount(size) && Number(index) < Number(size) && !closed.has(item);
    closed.add(item);
    return isFirst;
  };
  const fix = ({ call = "", content: { path, items } }: RawEvent): boolean => {
    if (typeof path !== "string") return false;
    const name = nameFanOut(call, path);
    const isFirst = !sizes.has(name);
    sizes.set(name, items);
    return isFirst;
  };
  const isSound = (event: RawEvent): boolean => {
    switch (event.type) {
      case "fanout.fixed":
        return fix(event);
      case "item.closed":
        return close(event);
      case "child.started":
        return start(event);
      default:
        if (!begins.has(event.type)) return true;
        return itemsOf(event).every((item) => !closed.has(item));
    }
  };
  return {
    follow: (event) => {
      if (event.type === "turn.started") {
        [sizes, closed, within] = [new Map(), new Set(), new Map()];
        return [];
      }
      if (isSound(event)) return [];
      const { sequence, turn } = event;
      const place = { sequence, ...(turn === undefined ? {} : { turn }) };
      return [
        finding("TURN_ORDER", "an item of a fan-out is not as it was fixed, or has ended", place),
      ];
    },
  };
}

function nameFanOut(call: string, path: string): string {
  return JSON.stringify([call, path]);
}

function nameItem(call: string, path: string, index: number): string {
  return JSON.stringify([call, path, index]);
}

const ITEM = /\/(?:items|branches)\/([0-9]{1,9})(?=\/|$)/g;

/** The items that a path of a flow stands in. */
function listItems(call: string, path: string): string[] {
  return [...path.matchAll(ITEM)].map((found) =>
    nameItem(call, path.slice(0, found.index), Number(found[1])),
  );
}
