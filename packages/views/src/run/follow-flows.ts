/**
 * Counts the ends of a run's flow nodes by their place in the definition. A fan-out over 200 items
 * is one entry, and so is one that runs in each of 200 rounds. It is a fold of the run's events.
 */
import { type ContentOf, type HandedItem, isClaimOf, type LoopEvent } from "@turnseal/protocol";
import { followGroupEnds, type GroupEnd } from "./follow-group-ends.ts";

/** Where a node stands. */
export interface FlowPlace {
  readonly loop: string;
  /** With a star for the numbers of rounds, items and visits. */
  readonly path: string;
}

export interface FanOutCount extends FlowPlace {
  /** How often it began. */
  readonly times: number;
  readonly items: number;
  readonly ok: number;
  readonly failed: number;
  readonly withdrawn: number;
  /** Items that have not ended, and that were not begun. */
  readonly open: number;
  readonly failures: readonly FailureCount[];
}

export interface FailureCount {
  readonly code: string;
  readonly count: number;
  /** The items, the first of them only, up to `ITEMS_NAMED_MAX`. */
  readonly items: readonly number[];
}

export interface RetryCount extends FlowPlace {
  readonly code: string;
  readonly count: number;
}

export interface SkipCount extends FlowPlace {
  readonly because: ContentOf<"step.skipped">["because"];
  readonly code?: string;
  readonly count: number;
}

export interface FlowSummary {
  readonly fanOuts: readonly FanOutCount[];
  readonly retried: readonly RetryCount[];
  readonly skipped: readonly SkipCount[];
  /** How its effect groups ended, where there were any. */
  readonly groups?: readonly GroupEnd[];
}

/** Items named for one kind of failure. */
export const ITEMS_NAMED_MAX = 10;
/** Places that are counted; of others it is not told. */
export const PLACES_MAX = 256;

export interface FlowFold {
  take(event: LoopEvent): void;
  /** Undefined where no node of a flow did anything but call. */
  summarize(): FlowSummary | undefined;
}

export function followFlows(): FlowFold {
  /** The loops of the calls that are open. */
  const loops = new Map<string, string>();
  const fanOuts = new Map<string, FanOut>();
  const runs = followItemRuns();
  const retried = new Map<string, RetryCount>();
  const skipped = new Map<string, SkipCount>();
  const groups = followGroupEnds();
  const placeOf = ({ call = "" }: LoopEvent, path: string): FlowPlace => ({
    loop: loops.get(call) ?? "",
    path: path.replace(/\/(rounds|items|visits|tries)\/\d+/g, "/$1/*"),
  });
  const count = <Counted extends { readonly count: number }>(
    counts: Map<string, Counted>,
    counted: Counted,
  ): void => {
    const key = JSON.stringify({ ...counted, count: 0 });
    const found = counts.get(key);
    if (found === undefined && counts.size >= PLACES_MAX) return;
    counts.set(key, { ...counted, count: (found?.count ?? 0) + 1 });
  };
  const fanOutAt = (event: LoopEvent, path: string): FanOut | undefined => {
    const place = placeOf(event, path);
    const key = JSON.stringify(place);
    const found = fanOuts.get(key) ?? { ...place, ...NOTHING, failures: new Map() };
    if (!fanOuts.has(key) && fanOuts.size >= PLACES_MAX) return undefined;
    fanOuts.set(key, found);
    return found;
  };
  return {
    take: (event) => {
      if (event.type === "call.started") loops.set(event.call, event.content.loop);
      if (event.type === "call.completed" || event.type === "call.errored")
        loops.delete(event.call);
      if (event.type === "turn.closed") loops.clear();
      if (event.type === "fanout.fixed") begin(fanOutAt(event, event.content.path), event.content);
      groups.take(event);
      const ended = runs.take(event);
      if (ended !== undefined) close(fanOutAt(event, ended.path), ended);
      if (event.type === "step.retried") {
        const { path, code } = event.content;
        count(retried, { ...placeOf(event, path), code, count: 0 });
      }
      if (event.type === "step.skipped") {
        const { path, because, code } = event.content;
        const why = code === undefined ? {} : { code };
        count(skipped, { ...placeOf(event, path), because, ...why, count: 0 });
      }
    },
    summarize: () => {
      const ends = groups.list();
      if (fanOuts.size + retried.size + skipped.size + ends.length === 0) return undefined;
      return {
        fanOuts: [...fanOuts.values()].map(toCount),
        retried: [...retried.values()],
        skipped: [...skipped.values()],
        ...(ends.length === 0 ? {} : { groups: ends }),
      };
    },
  };
}

/** The end of each item: for one that is a run, the end of that run. */
function followItemRuns(): {
  take(event: LoopEvent): ContentOf<"item.closed"> | undefined;
} {
  const items = new Map<string, HandedItem & { readonly call: string | undefined }>();
  return {
    take: (event) => {
      if (event.type === "item.closed") {
        const { path, index } = event.content;
        for (const [key, item] of items)
          if (item.call === event.call && item.path === path && item.index === index)
            items.delete(key);
        return event.content;
      }
      if (isClaimOf("handoff", event) && event.content.item !== undefined)
        items.set(event.content.key, { ...event.content.item, call: event.call });
      if (event.type !== "action.settled") return undefined;
      const item = items.get(event.content.key);
      if (item === undefined) return undefined;
      items.delete(event.content.key);
      const { path, index } = item;
      return event.content.status === "ok"
        ? { path, index, status: "ok" }
        : { path, index, status: "error", code: "CHILD_FAILED" };
    },
  };
}

interface FanOut extends FlowPlace {
  times: number;
  items: number;
  ok: number;
  error: number;
  withdrawn: number;
  readonly failures: Map<string, { count: number; readonly items: number[] }>;
}

const NOTHING = { times: 0, items: 0, ok: 0, error: 0, withdrawn: 0 };

function begin(fanOut: FanOut | undefined, { items }: { readonly items: number }): void {
  if (fanOut === undefined) return;
  fanOut.times += 1;
  fanOut.items += items;
}

function close(
  fanOut: FanOut | undefined,
  { index, status, code }: ContentOf<"item.closed">,
): void {
  if (fanOut === undefined) return;
  fanOut[status] += 1;
  if (status !== "error" || code === undefined) return;
  const alike = fanOut.failures.get(code) ?? { count: 0, items: [] };
  alike.count += 1;
  if (alike.items.length < ITEMS_NAMED_MAX) alike.items.push(index);
  fanOut.failures.set(code, alike);
}

function toCount({ error, failures, ...fanOut }: FanOut): FanOutCount {
  const { items, ok, withdrawn } = fanOut;
  return {
    ...fanOut,
    failed: error,
    open: Math.max(items - ok - error - withdrawn, 0),
    failures: Array.from(failures, ([code, alike]) => ({ code, ...alike })),
  };
}
