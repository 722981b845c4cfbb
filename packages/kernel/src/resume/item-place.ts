/** One item of a fan-out, by where the fan-out stands in the flow of its call. */
import type { CallErrorCode, ItemStatus, LoopEvent } from "@turnseal/protocol";

export interface ItemPlace {
  /** Of the fan-out. */
  readonly path: string;
  readonly index: number;
}

export interface ItemOfCall extends ItemPlace {
  readonly call: string;
}

/** An item that ended by itself. */
export interface ClosedItem {
  readonly index: number;
  readonly status: Exclude<ItemStatus, "withdrawn">;
  readonly code: CallErrorCode | undefined;
  /** The time of its end, without idle time of the turn. */
  readonly atMs: number;
  /** True when it failed because of an unknown effect. */
  readonly isUnknown?: boolean;
  /** True when it failed because a person declined its action: such a failure may be tolerated. */
  readonly isDeclined?: boolean;
  /** True when it was skipped: it gave nothing, and has not succeeded at anything. */
  readonly isSkipped?: boolean;
}

/** Names an item, to find its end. */
export function nameItem({ path, index }: ItemPlace): string {
  return `${path} ${index}`;
}

/** Where an item stands that is a run of its own. */
export function pathOfItem({ path, index }: ItemPlace): string {
  return `${path}/items/${index}`;
}

const inItem = /^(?: (\d+)$|\/(?:items|branches)\/(\d+)(?:$|[/ ]))/;

/** Finds the item of a fan-out in a path: of its end, or of a node inside it. */
export function findItem(path: string, fanOut: string): number | undefined {
  if (!path.startsWith(fanOut)) return undefined;
  const found = inItem.exec(path.slice(fanOut.length));
  const index = found?.[1] ?? found?.[2];
  return index === undefined ? undefined : Number(index);
}

/** True for a path in an item. */
export function isWithin(path: string, { path: fanOut, index }: ItemPlace): boolean {
  return findItem(path, fanOut) === index;
}

/** The calls in a fan-out of a call, and those below them: each with its item. */
export function listItemCalls(
  events: readonly LoopEvent[],
  { call, path: fanOut }: Pick<ItemOfCall, "call" | "path">,
): ReadonlyMap<string, number> {
  const items = new Map<string, number>();
  for (const event of events) {
    if (event.call === undefined) continue;
    const above = event.parentCall === undefined ? undefined : items.get(event.parentCall);
    if (above !== undefined) items.set(event.call, above);
    if (event.type !== "child.started" || event.call !== call) continue;
    const { path, child } = event.content;
    const index = path === undefined ? undefined : findItem(path, fanOut);
    if (index !== undefined) items.set(child, index);
  }
  return items;
}
