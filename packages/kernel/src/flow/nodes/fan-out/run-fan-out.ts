/**
 * Runs the branches of a node, or its body for each item of a list, beside each other
 * (spec/flow.md).
 *
 * 1. The list is fixed in the log before the first item begins, and every item has one end there.
 *    The order of those ends decides which item wins, and which fails first.
 * 2. The number of parallel items is only a limit: the result is in the order of the list.
 * 3. Once it is decided, the other items are withdrawn: they claim nothing more, their requests to
 *    people are cancelled, and their ends say `withdrawn`. The host cancels runs that they started,
 *    and the fan-out waits for the ends of those runs.
 */
import { type Amounts, DECLINED } from "@turnseal/protocol";
import { fail, isDeclined, type Paused, succeed } from "../../../outcome.ts";
import type { Branch } from "../../../resume/branch.ts";
import { type Frame, forkFrame } from "../../../resume/frame.ts";
import { type ClosedItem, nameItem } from "../../../resume/item-place.ts";
import type { ItemRuns } from "../../../resume/list-item-runs.ts";
import { type BesideOutcome, runBeside } from "../../../resume/run-beside.ts";
import { StoppedError } from "../../../resume/stopped-error.ts";
import { waitForAll } from "../../wait-for-all.ts";
import { countRuns } from "../count-runs.ts";
import {
  type FlowParts,
  type Gave,
  give,
  type NodeOutcome,
  type NodePlace,
  outputOf,
} from "../node.ts";
import { withKnown } from "../read-known.ts";
import { failureCodeOf } from "../run-tries.ts";
import type { FanOutItem, ItemValue } from "./fan-out-item.ts";
import { fixList } from "./fix-list.ts";
import { joinItems } from "./join-items.ts";
import { countWanted, type FanOutNode, judgeJoin, type Standing } from "./judge-join.ts";
import { runItemRun } from "./run-item-run.ts";

export async function runFanOut(
  node: FanOutNode,
  place: NodePlace,
  parts: FlowParts,
): Promise<NodeOutcome> {
  const { frame } = place;
  const fixed = await fixList(node, place, parts);
  if (fixed.kind !== "ok") return fixed;
  const { items, share } = fixed.value;
  const wanted = countWanted(node);
  const fanOut = openFanOut({ node, place, parts, items, share });
  if (items.length < wanted) {
    await withdrawOthers(fanOut);
    return fail("CHILD_FAILED", `${wanted} have to succeed, and there are ${items.length}`);
  }
  const outcomes = await runBeside<ItemValue>((index, branch) => runItem(fanOut, index, branch), {
    fork: frame,
    limit: node.concurrency,
    // Items that share a thread run one after the other.
    isInOrder: node.kind === "forEach" && node.scope === "shared",
    // A run that was started holds the place of its item until it has ended.
    holdsPlace: ({ isHanded = false }) => share !== undefined && isHanded,
    hasBegun: (index) => hasBegunItem(place, index),
    stops: fanOut.stops.map(({ signal }) => signal),
  });
  if (fanOut.standing.kind === "open") return waitForItems(outcomes, frame);
  await withdrawOthers(fanOut);
  const waiting = pauseForRuns(fanOut, outcomes);
  if (waiting !== undefined) return waiting;
  frame.recorder.log?.join(fanOut.forks);
  const { standing, closed } = fanOut;
  const labels = items.map(({ label }) => label);
  return joinItems(node, { standing, closed, outcomes, frame, labels });
}

interface FanOut {
  readonly node: FanOutNode;
  readonly place: NodePlace;
  readonly parts: FlowParts;
  readonly items: readonly FanOutItem[];
  /** The most that each may spend where each is a run of its own. */
  readonly share: Amounts | undefined;
  readonly stops: readonly AbortController[];
  /** The items whose runs are started or asked for, by the record. */
  readonly handed: ReadonlySet<number>;
  /** The items that ended by themselves, in the order of the log. */
  readonly closed: ClosedItem[];
  /** Of those: with the times at which they ended. */
  readonly forks: Frame[];
  standing: Standing;
  /** The nodes that were run before it. */
  readonly counted: number;
}

/** As the record has it: what was decided then is decided. */
function openFanOut(given: Pick<FanOut, "node" | "place" | "parts" | "items" | "share">): FanOut {
  const { frame, path } = given.place;
  const { log } = frame.recorder;
  const fanOut: FanOut = {
    ...given,
    stops: given.items.map(() => new AbortController()),
    handed: new Set(given.share === undefined ? [] : log?.listHanded(frame.call, path)),
    closed: [],
    forks: [],
    standing: { kind: "open" },
    counted: given.place.runs.count,
  };
  decide(fanOut, log?.listClosed(frame.call, path) ?? []);
  return fanOut;
}

/** True when something is recorded of an item that was not made again. */
function hasBegunItem({ frame: { recorder, call }, path }: NodePlace, index: number): boolean {
  return recorder.log?.hasBegunItem({ call, path, index }) === true;
}

/** Tells all others to stop where it is decided. */
function decide(fanOut: FanOut, closed: readonly ClosedItem[]): void {
  const { node, items, place, stops } = fanOut;
  const { isTriedAgain } = place.tries ?? {};
  const size = {
    ...{ items: items.length, deadlineAt: place.frame.deadlineAt },
    ...(isTriedAgain === undefined ? {} : { isTriedAgain }),
  };
  fanOut.standing = judgeJoin(closed, node, size);
  if (fanOut.standing.kind === "open") return;
  const ended = new Set(closed.map(({ index }) => index));
  for (const [index, stop] of stops.entries()) if (!ended.has(index)) stop.abort();
}

async function runItem(fanOut: FanOut, index: number, branch: Branch) {
  const { place, parts, items, forks, closed, stops } = fanOut;
  const { path } = place;
  const item = items[index];
  if (item === undefined) throw new StoppedError();
  const frame = forkFrame(place.frame, branch, { path, index });
  const { counted } = fanOut;
  const at: NodePlace = {
    ...withKnown(place, item.known),
    frame,
    path: path + item.segment,
    place: place.place + item.placeSegment,
    runs: { count: counted },
  };
  const { share } = fanOut;
  if (share !== undefined) return runSpread(fanOut, { index, share, at });
  const given = keptOf(fanOut, index) ?? (await parts.runCounted(item.body, at));
  if (given.kind === "paused") {
    // Writes the request at once, so that the person can answer while other items go on.
    void frame.recorder.log?.flush();
    return given;
  }
  await frame.catchUp(nameItem({ path, index }));
  // It ended when others had decided without it: what is recorded of its end is that.
  if (stops[index]?.signal.aborted === true) throw new StoppedError();
  // Items do not see each other's nodes before they end: the item that passes the bound fails.
  const outcome = countRuns(place, at.runs.count - counted) ?? given;
  const code = outcome.kind === "error" ? failureCodeOf(outcome) : undefined;
  const status = code === undefined ? "ok" : "error";
  const isUnknown = outcome.kind === "error" && outcome.isUnknown === true;
  const wasDeclined = outcome.kind === "error" && isDeclined(outcome.error);
  const facts = { isUnknown, isDeclined: wasDeclined, isSkipped: outcome.kind === "skipped" };
  const end = { index, status, code, ...facts } as const;
  closed.push({ ...end, atMs: recordEnd(fanOut, frame, end) });
  forks.push(frame);
  if (fanOut.standing.kind === "open") decide(fanOut, closed);
  if (outcome.kind === "error") return outcome;
  const value = outputOf(outcome);
  if (outcome.kind === "ok") place.tries?.kept.set(index, value);
  return succeed(value);
}

/** Returns the item's result from an earlier try, so that it does not run again. */
function keptOf({ place: { tries } }: FanOut, index: number): Gave | undefined {
  const value = tries?.kept.get(index);
  return value === undefined ? undefined : give(value);
}

interface SpreadPlace {
  readonly index: number;
  readonly share: Amounts;
  readonly at: NodePlace;
}

/** The end of a run is the end of its item, unless the run was never started. */
async function runSpread(fanOut: FanOut, { index, share, at }: SpreadPlace) {
  const { place, parts, items, forks, closed, stops, standing } = fanOut;
  const item = items[index];
  if (item?.body.kind !== "call") throw new StoppedError();
  const { path } = place;
  const value = item.value ?? null;
  const handed = { path, index, digest: at.frame.recorder.log?.digestOf(value) };
  const isWanted = standing.kind !== "open";
  const isBegun = fanOut.handed.has(index);
  const run = { body: item.body, handed, share, isBegun, isWanted };
  const isStopped = (): boolean => stops[index]?.signal.aborted === true;
  // A withdrawn item starts nothing, but still waits for the run that it started.
  if (isStopped() && !isBegun) throw new StoppedError();
  const kept = keptOf(fanOut, index);
  const { outcome, isStarted } =
    kept === undefined
      ? await runItemRun(run, at, parts)
      : { outcome: succeed(kept.value), isStarted: false };
  if (outcome.kind === "paused") {
    void at.frame.recorder.log?.flush();
    return outcome;
  }
  if (isStopped()) throw new StoppedError();
  const code = outcome.kind === "error" ? failureCodeOf(outcome) : undefined;
  const status = code === undefined ? "ok" : "error";
  if (!isStarted) {
    await at.frame.catchUp(nameItem({ path, index }));
    if (isStopped()) throw new StoppedError();
  }
  const wasDeclined = outcome.kind === "error" && isDeclined(outcome.error);
  const end = { index, status, code, isDeclined: wasDeclined } as const;
  closed.push({ ...end, atMs: isStarted ? at.frame.lastMs() : recordEnd(fanOut, at.frame, end) });
  forks.push(at.frame);
  if (fanOut.standing.kind === "open") decide(fanOut, closed);
  if (outcome.kind === "ok") place.tries?.kept.set(index, outcome.value);
  return outcome;
}

/** While a run is open that was started and withdrawn: what it has spent is not known before. */
function pauseForRuns(
  { share, place, parts, closed }: FanOut,
  outcomes: readonly BesideOutcome<ItemValue>[],
): Paused | undefined {
  const ended = new Set(closed.map(({ index }) => index));
  const isOpen =
    share === undefined
      ? [...listRuns(place, parts)].some(([index, one]) => one.isOpen && !ended.has(index))
      : outcomes.some((one) => one.kind === "paused" && one.isHanded);
  return isOpen ? { kind: "paused", isAsked: true, isHanded: true } : undefined;
}

/** The runs that items have started. Outside a run they start none. */
function listRuns({ frame, path }: NodePlace, { world }: FlowParts): ReadonlyMap<number, ItemRuns> {
  return world.kind === "run" ? world.effects.journal.listRuns(frame, path) : new Map();
}

type ItemEnd = Omit<ClosedItem, "atMs" | "status"> & {
  readonly status: ClosedItem["status"] | "withdrawn";
  readonly runs?: readonly string[] | undefined;
};

function recordEnd(
  { items, place: { path } }: FanOut,
  frame: Frame,
  { index, status, code, isDeclined: wasDeclined = false, runs }: ItemEnd,
): number {
  const value = items[index]?.value;
  const digest = value === undefined ? undefined : frame.recorder.log?.digestOf(value);
  return frame.record({
    type: "item.closed",
    content: {
      ...{ path, index, status },
      ...(digest === undefined ? {} : { digest }),
      ...(code === undefined ? {} : { code }),
      ...(wasDeclined ? { denial: DECLINED } : {}),
      ...(runs === undefined ? {} : { runs }),
    },
  });
}

/** The items that wait decide when it goes on; those behind one of them in order did not begin. */
function waitForItems(outcomes: readonly BesideOutcome<ItemValue>[], { branch }: Frame): Paused {
  if (branch.isStopped()) throw new StoppedError();
  return waitForAll(outcomes);
}

/** Closes the withdrawn items. */
async function withdrawOthers(fanOut: FanOut): Promise<void> {
  const { place, parts, items, closed } = fanOut;
  const { frame, path } = place;
  const { world } = parts;
  const ended = new Set(closed.map(({ index }) => index));
  const others = [...items.keys()].filter((index) => !ended.has(index));
  const isRecorded = (index: number): boolean => hasBegunItem(place, index);
  const left = others.filter((index) => !isRecorded(index));
  withdraw(fanOut, others.filter(isRecorded));
  const [first] = left;
  if (first === undefined) return;
  await frame.catchUp(nameItem({ path, index: first }));
  if (frame.branch.isStopped()) throw new StoppedError();
  const toWithdraw = left.map((index) => ({ path, index }));
  if (world.kind === "run") world.effects.journal.withdraw(frame, toWithdraw);
  withdraw(fanOut, left);
}

/** An item that is a run names only the runs that others started. */
function withdraw(fanOut: FanOut, indexes: readonly number[]): void {
  const { place, parts, share } = fanOut;
  if (indexes.length === 0) return;
  const runs = share === undefined ? listRuns(place, parts) : undefined;
  for (const index of indexes) {
    const end = { index, status: "withdrawn", code: undefined } as const;
    recordEnd(fanOut, place.frame, { ...end, runs: runs?.get(index)?.left });
  }
}
