/**
 * Lists the actions that a rollback of a run would undo, the latest first, and those that it would
 * leave (spec/ rollback.md §3). It changes nothing.
 */

import { FAMILY_DEPTH_MAX, listUnknown, type RunProjection } from "@turnseal/folds";
import { PLAN_STEPS_MAX } from "@turnseal/protocol";
import type { RollbackHead } from "../../run-ids.ts";
import { readRun } from "../../state/read-run.ts";
import { type Checkpoint, findCheckpoint } from "../find/checkpoints.ts";
import { findLaterChanges, listFilesSteps } from "../find/find-later-changes.ts";
import {
  judgeEffect,
  type LeftAction,
  PAGE_BYTES_MAX,
  type UndoStep,
} from "../find/judge-effect.ts";
import { listAncestors } from "../find/list-ancestors.ts";
import {
  createReadEffects,
  type HandoffEffect,
  type ReadEffects,
  type ToolEffect,
} from "../find/read-effects.ts";
import { createFindRestored } from "../find/restored-files.ts";
import {
  type KnownRollback,
  listCompensations,
  listRollbacks,
  ROLLBACKS_MAX,
  withoutCompensated,
} from "../find/rollback-chain.ts";
import type { RollbackPorts } from "../find/rollback-ports.ts";
import { sizeOf } from "../find/size-of.ts";

export interface RollbackRequest {
  readonly run: string;
  /** The last turn that stays; 0 for none. */
  readonly toTurn: number;
}

export interface RollbackList extends RollbackHead {
  readonly kind: "listed";
  /** In the order in which they are undone. */
  readonly steps: readonly UndoStep[];
  /** The checkpoint that it goes back to, by the log. */
  readonly checkpoint?: Checkpoint;
}

export type RollbackSearch =
  | RollbackList
  /** There is such a rollback already, and nothing else to undo. */
  | {
      readonly kind: "known";
      readonly rollback: KnownRollback;
      readonly of: string;
      /**
       * Actions that can no longer be undone, also if the rollback was to; none while it is open.
       */
      readonly left: RollbackHead["left"];
    }
  | { readonly kind: "refused"; readonly why: RollbackRefusal; readonly message: string };

export type RollbackRefusal =
  | "run-unknown"
  | "turn-unknown"
  | "not-stopped"
  | "effect-unknown"
  | "rollback-open"
  | "grant-expired"
  | "too-many";

export async function listRollback(
  request: RollbackRequest,
  ports: RollbackPorts,
): Promise<RollbackSearch> {
  const found = await findSteps(request, ports, createReadEffects(ports.stores));
  return found.kind === "found" ? found.complete() : found;
}

/** A compensation that this worker lacks, and needs to undo an action. */
export interface MissingCompensation extends Pick<LeftAction, "tool" | "why"> {
  /** The loop that undoes it. */
  readonly loop: string;
  readonly version: string;
}

/** The actions that a rollback undoes, by the logs alone. */
export interface FoundSteps extends Pick<RollbackList, "ordinal" | "steps"> {
  readonly kind: "found";
  /** The run itself, which has stopped. */
  readonly projection: RunProjection;
  /** Compensations that only another worker may have, each once. */
  readonly lacks: readonly MissingCompensation[];
  /** Looks at files and other runs, too. */
  complete(): Promise<RollbackList>;
}

/** The same from the logs alone: the caller completes it with files and other runs. */
export async function findSteps(
  { run, toTurn }: RollbackRequest,
  ports: RollbackPorts,
  read: ReadEffects,
): Promise<FoundSteps | Exclude<RollbackSearch, RollbackList>> {
  const { stores } = ports;
  const projection = await readRun(stores, run);
  if (projection === undefined) return refuse("run-unknown", "there is no such run");
  if (toTurn > projection.turns)
    return refuse("turn-unknown", `the run has no turn ${toTurn}: it closed ${projection.turns}`);
  const found = await collectEffects(projection, { stores, read }, toTurn);
  if (found.kind === "refused") return found;
  const { effects, runs } = found;
  const above = await listAncestors(stores, run);
  const chains = new Map<string, readonly KnownRollback[]>();
  for (const each of [...runs, ...above]) chains.set(each, await listRollbacks(each, stores));
  const own = chains.get(run) ?? [];
  for (const [of, rollbacks] of chains) {
    const open = rollbacks.find(({ projection }) => (projection?.stopped ?? null) === null);
    // A rollback that has not begun is started again: with other options that would be refused.
    if (open === undefined || (of === run && open.projection === undefined)) continue;
    if (of === run && open.head?.toTurn === toTurn)
      return { kind: "known", rollback: open, of, left: [] };
    return refuse("rollback-open", `rollback ${open.run} of ${of} has not ended`);
  }
  const all = [...chains.values()].flat();
  const wanted = withoutCompensated(effects, await listCompensations(all, stores));
  const { steps, left, lacks, ...beyond } = await fillPage(wanted.toReversed(), ports);
  if (own.length >= ROLLBACKS_MAX)
    return refuse("too-many", `the run was taken back ${own.length} times: do the rest by hand`);
  const last = own.findLast(({ head }) => head?.toTurn === toTurn);
  if (steps.length === 0 && last !== undefined)
    return { kind: "known", rollback: last, of: run, left };
  const ordinal = own.filter(({ projection }) => projection !== undefined).length;
  const complete = async (): Promise<RollbackList> => {
    const family = new Set([...runs, ...all.map((each) => each.run)]);
    const files = await listFilesSteps(steps, wanted, createFindRestored(all, stores));
    const changes = await findLaterChanges(files, family, ports);
    const checkpoint = await findCheckpoint(stores, run, toTurn);
    const back = checkpoint === undefined ? {} : { checkpoint };
    return { kind: "listed", run, toTurn, ordinal, steps, left, ...beyond, ...changes, ...back };
  };
  return { kind: "found", projection, ordinal, steps, lacks, complete };
}

/** Bytes of what one rollback says of actions that are left. */
export const LEFT_BYTES_MAX = 128 * 1024;

type Page = Pick<RollbackList, "steps" | "left" | "later" | "leftBeside"> &
  Pick<FoundSteps, "lacks">;

/**
 * As much as one rollback holds, the latest first: of the rest it says how much there is, and the
 * next rollback has it.
 */
async function fillPage(effects: readonly ToolEffect[], ports: RollbackPorts): Promise<Page> {
  const steps: UndoStep[] = [];
  const left: LeftAction[] = [];
  const missing = new Map<string, MissingCompensation>();
  let [stepBytes, leftBytes, leftBeside] = [0, 0, 0];
  const page = () => ({
    ...{ steps, left, lacks: [...missing.values()] },
    ...(leftBeside === 0 ? {} : { leftBeside }),
  });
  for (const [index, effect] of effects.entries()) {
    const judged = await judgeEffect(effect, ports);
    if (judged.kind === "left") {
      const lack = findMissing(judged.left, effect);
      if (lack !== undefined) missing.set(Object.values(lack).join(" "), lack);
      leftBytes += sizeOf({ ...judged.left });
      if (leftBytes > LEFT_BYTES_MAX) leftBeside += 1;
      else left.push(judged.left);
    }
    if (judged.kind !== "undo") continue;
    stepBytes += sizeOf({ ...judged.step.takesBack });
    const isFull = steps.length === PLAN_STEPS_MAX || stepBytes > PAGE_BYTES_MAX;
    if (isFull) return { ...page(), later: effects.length - index };
    steps.push(judged.step);
  }
  return page();
}

/**
 * A compensation that another worker may have. The claim says that the worker of that time had it.
 */
function findMissing(
  { tool, why }: LeftAction,
  { compensation }: ToolEffect,
): MissingCompensation | undefined {
  const isLacked = why === "compensation-missing" || why === "compensation-changed";
  if (!isLacked || compensation === undefined) return undefined;
  return { tool, loop: compensation.loop, version: compensation.version, why };
}

function refuse(why: RollbackRefusal, message: string): RollbackSearch & { kind: "refused" } {
  return { kind: "refused", why, message };
}

type Collected =
  | {
      readonly kind: "found";
      readonly effects: readonly ToolEffect[];
      readonly runs: readonly string[];
    }
  | (RollbackSearch & { readonly kind: "refused" });

/**
 * Collects the effects of a run and of the runs that it handed to, at the place of the handoff, in
 * the order of the logs.
 */
async function collectEffects(
  projection: RunProjection,
  from: Pick<RollbackPorts, "stores"> & { readonly read: ReadEffects },
  toTurn: number,
  depth = 0,
): Promise<Collected> {
  const { stores, read } = from;
  const { run } = projection;
  if (projection.stopped === null) return refuse("not-stopped", `run ${run} has not stopped`);
  const effects: ToolEffect[] = [];
  const runs = [run];
  // Unknown actions beyond those that people can answer would block the rest for ever.
  const unknown = new Set(listUnknown(projection).map(({ key }) => key));
  for (const effect of await read(run)) {
    if (effect.turn <= toTurn) continue;
    if (effect.kind === "tool") {
      if (effect.end.kind === "open" && unknown.has(effect.key))
        return refuse(
          "effect-unknown",
          `it is not known whether ${effect.tool} in turn ${effect.turn} of run ${run} happened`,
        );
      effects.push(effect);
      continue;
    }
    const child = await findChild(effect, depth, stores);
    if (child.kind === "refused") return child;
    if (child.projection === undefined) continue;
    const below = await collectEffects(child.projection, from, 0, depth + 1);
    if (below.kind === "refused") return below;
    effects.push(...below.effects);
    runs.push(...below.runs);
  }
  return { kind: "found", effects, runs };
}

type FoundChild = Extract<RollbackSearch, { kind: "refused" }> | ChildFound;

interface ChildFound {
  readonly kind: "found";
  /** Undefined for a child that never began: it has done nothing. */
  readonly projection: RunProjection | undefined;
}

/** Refuses a child that may still act, unseen: it has not begun, or it is too far below. */
async function findChild(
  { child, turn, isEnded }: HandoffEffect,
  depth: number,
  stores: RollbackPorts["stores"],
): Promise<FoundChild> {
  if (depth >= FAMILY_DEPTH_MAX)
    return refuse(
      "not-stopped",
      `run ${child} is more than ${FAMILY_DEPTH_MAX} handoffs below: take back those below first`,
    );
  const projection = await readRun(stores, child);
  const mayBegin =
    projection === undefined && (!isEnded || (await stores.inbox.has(child, "start")));
  return mayBegin
    ? refuse("not-stopped", `run ${child}, handed to in turn ${turn}, has not begun, and may`)
    : { kind: "found", projection };
}
