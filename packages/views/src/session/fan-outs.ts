/**
 * The places of calls in the fan-outs of an open turn: the item they serve, the number of items,
 * and the calls that end with a withdrawn item.
 */
import type { EventOf, LoopEvent } from "@turnseal/protocol";
import type { FlowSpot, OpenTool, SessionState } from "./session-state.ts";

export function noteFanOut(
  state: SessionState,
  { call, content: { path, items } }: EventOf<"fanout.fixed">,
): SessionState {
  return { ...state, fanOuts: [...state.fanOuts, { call, path, items }] };
}

/** Notes where a call of a flow stands; only where there is a fan-out it matters. */
export function noteSpot(
  state: SessionState,
  { call, content: { child, path } }: EventOf<"child.started">,
): SessionState {
  if (path === undefined || state.fanOuts.length === 0) return state;
  return { ...state, spots: new Map(state.spots).set(child, { call, path }) };
}

/** An item with a run of its own has no call, so it is known by the key of its handoff. */
export function noteItemRun(state: SessionState, event: LoopEvent): SessionState {
  if (event.type !== "action.claimed" && event.type !== "approval.requested") return state;
  const { call, content } = event;
  const item = content.action === "handoff" ? content.item : undefined;
  if (item === undefined) return state;
  const path = `${item.path}/items/${item.index}`;
  return { ...state, spots: new Map(state.spots).set(content.key, { call, path }) };
}

/** True for what has no call of its own: an item that is a run, the commit of a group. */
export function isByKey({ call, key }: OpenTool): boolean {
  return call !== null && call === key;
}

/** The item that a call serves, of the innermost fan-out around it. */
export function findItem(
  state: SessionState,
  call: string,
): Pick<OpenTool, "index" | "total"> | undefined {
  const { callers, spots } = state;
  for (let each: string | null = call; each !== null; each = callers.get(each) ?? null) {
    const spot = spots.get(each);
    const found = spot === undefined ? undefined : findInnermost(state, spot);
    if (found !== undefined) return found;
  }
  return undefined;
}

function findInnermost({ fanOuts }: SessionState, spot: FlowSpot) {
  return fanOuts
    .filter(({ call }) => call === spot.call)
    .toSorted((one, other) => other.path.length - one.path.length)
    .flatMap(({ path, items }) => {
      const index = readIndex(path, spot.path);
      return index === undefined ? [] : [{ index, total: items }];
    })[0];
}

/** The number of the item of a fan-out that a path leads through. */
function readIndex(fanOut: string, path: string): number | undefined {
  if (!path.startsWith(`${fanOut}/`)) return undefined;
  const [, kind, index] = path.slice(fanOut.length).split("/");
  return kind === "items" || kind === "branches" ? Number(index) : undefined;
}

/** The tool calls of a withdrawn item: no other event ends them. */
export function listWithdrawn(
  state: SessionState,
  { call, content: { path, index } }: EventOf<"item.closed">,
): OpenTool[] {
  const isOfItem = (each: string): boolean => {
    const spot = state.spots.get(each);
    return spot?.call === call && readIndex(path, spot.path) === index;
  };
  return state.tools.filter((tool) => {
    let serves = tool.call ?? tool.asker;
    while (serves !== null && !isOfItem(serves)) serves = state.callers.get(serves) ?? null;
    return serves !== null;
  });
}
