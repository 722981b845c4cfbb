/**
 * Finds calls of fan-out items that others may have decided without. It reads the ends of items in
 * the log, and does not ask the runtime which item won: every item that was left early must turn
 * out to be withdrawn.
 */
import type { LoopEvent } from "@turnseal/protocol";
import type { Promises } from "../simulate/fault.ts";

export interface ItemWatch {
  onEvent(event: LoopEvent): void;
  /** True of a call in an item without an end, beside one with an end. */
  isStopped(call: string | undefined): boolean;
}

interface FanOut {
  readonly way: string;
  readonly ended: Set<number>;
}

export function watchItems(promises: Promises): ItemWatch {
  const ways = new Map<string, string>();
  const fanOuts = new Map<string, FanOut>();
  const withdrawn = new Set<string>();
  /** The items around each claim that was left: one of them has to be withdrawn. */
  const left: string[][] = [];
  const wayOf = (call: string | undefined): string => ways.get(call ?? "") ?? "";
  const listItems = (way: string): string[] =>
    [...fanOuts.values()].flatMap((fanOut) => {
      const index = readIndex(way, fanOut.way);
      const isBeside = index !== undefined && !fanOut.ended.has(index) && fanOut.ended.size > 0;
      return isBeside ? [`${fanOut.way} ${index}`] : [];
    });
  return {
    isStopped: (call) => {
      const items = listItems(wayOf(call));
      if (items.length > 0) left.push(items);
      return items.length > 0;
    },
    onEvent: (event) => {
      switch (event.type) {
        case "child.started":
          ways.set(event.content.child, `${wayOf(event.call)}${event.content.path ?? ""}`);
          return;
        case "fanout.fixed": {
          const way = `${wayOf(event.call)}${event.content.path}`;
          fanOuts.set(way, { way, ended: new Set() });
          return;
        }
        case "item.closed": {
          const { path, index, status } = event.content;
          const way = `${wayOf(event.call)}${path}`;
          fanOuts.get(way)?.ended.add(index);
          if (status === "withdrawn") withdrawn.add(`${way} ${index}`);
          return;
        }
        case "turn.closed": {
          const isOver = left.every((items) => items.some((item) => withdrawn.has(item)));
          promises.hold(isOver, "a claim is left before its time, and its item goes on");
          for (const each of [left, fanOuts, withdrawn, ways])
            if (Array.isArray(each)) each.length = 0;
            else each.clear();
          return;
        }
        default:
      }
    },
  };
}

/** The item of a fan-out that a way leads through. */
function readIndex(way: string, fanOut: string): number | undefined {
  if (!way.startsWith(`${fanOut}/`)) return undefined;
  const [, segment, index] = way.slice(fanOut.length).split("/");
  return segment === "items" || segment === "branches" ? Number(index) : undefined;
}
