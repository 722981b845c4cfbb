/**
 * What a rollback of a run would take back, the latest first, and what it would leave (spec/
 * rollback.md §3). It looks, and changes nothing.
 */
import { PLAN_STEPS_MAX } from "@turnseal/protocol";
import { FAMILY_DEPTH_MAX } from "../projection/family-depth.ts";
import { readRun } from "../projection/read-run.ts";
import { listUnknown } from "../projection/unknown-ends.ts";
import type { RollbackHead } from "../run-ids.ts";
import { type Checkpoint, findCheckpoint } from "./checkpoints.ts";
import { judgeDeed, type LeftAction, PAGE_BYTES_MAX, type UndoStep } from "./judge-deed.ts";
import { listAncestors } from "./list-ancestors.ts";
import { listFilesSteps, lookAround } from "./look-around.ts";
import { createFindPutBack } from "./put-back.ts";
import { createReadDeeds, type HandoffDeed, type ReadDeeds, type ToolDeed } from "./read-deeds.ts";
import {
  type KnownRollback,
  listRollbacks,
  listTakings,
  ROLLBACKS_MAX,
  withoutTakings,
} from "./rollback-chain.ts";
import type { RollbackPorts } from "./rollback-ports.ts";
import { sizeOf } from "./size-of.ts";

export interface RollbackRequest {
  readonly run: string;
  /** The last turn that stays; 0 for none. */
  readonly toTurn: number;
}

export interface RollbackList extends RollbackHead {
  readonly kind: "listed";
  /** In the order in which they are taken back. */
  readonly steps: readonly UndoStep[];
  /** What it goes back to, by the log. */
  readonly checkpoint?: Checkpoint;
}

export type RollbackSearch =
  | RollbackList
  /** It was asked for before: there is this one, and nothing beside it to take back. */
  | {
      readonly kind: "known";
      readonly rollback: KnownRollback;
      readonly of: string;
      /** What nothing can take back now, also where the rollback was to; none while it is open. */
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
  const found = await findSteps(request, ports, createReadDeeds(ports.stores));
  return found.kind === "found" ? found.complete() : found;
}

/** What a worker would have to have to take an action back that this one cannot. */
export interface LackedUndo extends Pick<LeftAction, "tool" | "why"> {
  /** The loop that takes it back. */
  readonly loop: string;
  readonly version: string;
}

/** What a rollback takes back, by the logs alone. */
export interface FoundSteps extends Pick<RollbackList, "ordinal" | "steps"> {
  readonly kind: "found";
  /** What is left for want of something that another worker may have, each once. */
  readonly lacks: readonly LackedUndo[];
  /** Looks at files and other runs, too. */
  complete(): Promise<RollbackList>;
}

/** The same as far as the logs tell: whoever goes on with it looks around. */
export async function findSteps(
  { run, toTurn }: RollbackRequest,
  ports: RollbackPorts,
  read: ReadDeeds,
): Promise<FoundSteps | Exclude<RollbackSearch, RollbackList>> {
  const { stores } = ports;
  const projection = await readRun(stores, run);
  if (projection === undefined) return refuse("run-unknown", "there is no such run");
  if (toTurn > projection.turns)
    return refuse("turn-unknown", `the run has no turn ${toTurn}: it closed ${projection.turns}`);
  const found = await collectDeeds(run, { stores, read }, toTurn);
  if (found.kind === "refused") return found;
  const { deeds, runs } = found;
  const above = await listAncestors(stores, run);
  const chains = new Map<string, readonly KnownRollback[]>();
  for (const each of [...runs, ...above]) chains.set(each, await listRollbacks(each, stores));
  const own = chains.get(run) ?? [];
  for (const [of, rollbacks] of chains) {
    const open = rollbacks.find(({ projection }) => (projection?.stopped ?? null) === null);
    // One that nobody has begun with is told again: with other words it would be refused.
    if (open === undefined || (of === run && open.projection === undefined)) continue;
    if (of === run && open.head?.toTurn === toTurn)
      return { kind: "known", rollback: open, of, left: [] };
    return refuse("rollback-open", `rollback ${open.run} of ${of} has not ended`);
  }
  const all = [...chains.values()].flat();
  const wanted = withoutTakings(deeds, await listTakings(all, stores));
  const { steps, left, lacks, ...beyond } = await fillPage(wanted.toReversed(), ports);
  if (own.length >= ROLLBACKS_MAX)
    return refuse("too-many", `the run was taken back ${own.length} times: do the rest by hand`);
  const last = own.findLast(({ head }) => head?.toTurn === toTurn);
  if (steps.length === 0 && last !== undefined)
    return { kind: "known", rollback: last, of: run, left };
  const ordinal = own.filter(({ projection }) => projection !== undefined).length;
  const complete = async (): Promise<RollbackList> => {
    const family = new Set([...runs, ...all.map((each) => each.run)]);
    const files = await listFilesSteps(steps, wanted, createFindPutBack(all, stores));
    const around = await lookAround(files, family, ports);
    const checkpoint = await findCheckpoint(stores, run, toTurn);
    const back = checkpoint === undefined ? {} : { checkpoint };
    return { kind: "listed", run, toTurn, ordinal, steps, left, ...beyond, ...around, ...back };
  };
  return { kind: "found", ordinal, steps, lacks, complete };
}

/** Bytes of what one rollback says of actions that are left. */
export const LEFT_BYTES_MAX = 128 * 1024;

type Page = Pick<RollbackList, "steps" | "left" | "later" | "leftBeside"> &
  Pick<FoundSteps, "lacks">;

/**
 * As much as one rollback holds, the latest first: of the rest it says how much there is, and the
 * next rollback has it.
 */
async function fillPage(deeds: readonly ToolDeed[], ports: RollbackPorts): Promise<Page> {
  const steps: UndoStep[] = [];
  const left: LeftAction[] = [];
  const lacked = new Map<string, LackedUndo>();
  let [stepBytes, leftBytes, leftBeside] = [0, 0, 0];
  const page = () => ({
    ...{ steps, left, lacks: [...lacked.values()] },
    ...(leftBeside === 0 ? {} : { leftBeside }),
  });
  for (const [index, deed] of deeds.entries()) {
    const judged = await judgeDeed(deed, ports);
    if (judged.kind === "left") {
      const lack = findLack(judged.left, deed);
      if (lack !== undefined) lacked.set(Object.values(lack).join(" "), lack);
      leftBytes += sizeOf({ ...judged.left });
      if (leftBytes > LEFT_BYTES_MAX) leftBeside += 1;
      else left.push(judged.left);
    }
    if (judged.kind !== "undo") continue;
    stepBytes += sizeOf({ ...judged.step.takesBack });
    const isFull = steps.length === PLAN_STEPS_MAX || stepBytes > PAGE_BYTES_MAX;
    if (isFull) return { ...page(), later: deeds.length - index };
    steps.push(judged.step);
  }
  return page();
}

/** What another worker may have. The claim says that there was one which had it. */
function findLack({ tool, why }: LeftAction, { compensation }: ToolDeed): LackedUndo | undefined {
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
      readonly deeds: readonly ToolDeed[];
      readonly runs: readonly string[];
    }
  | (RollbackSearch & { readonly kind: "refused" });

/** The deeds of a run, and of those that it handed to where it did, in the order of the logs. */
async function collectDeeds(
  run: string,
  from: Pick<RollbackPorts, "stores"> & { readonly read: ReadDeeds },
  toTurn: number,
  depth = 0,
): Promise<Collected> {
  const { stores, read } = from;
  const projection = await readRun(stores, run);
  // A run that was never begun has done nothing: one that may still begin is refused above.
  if (projection === undefined) return { kind: "found", deeds: [], runs: [] };
  if (projection.stopped === null) return refuse("not-stopped", `run ${run} has not stopped`);
  const deeds: ToolDeed[] = [];
  const runs = [run];
  // On those beyond them nobody can say a word: they would keep the rest from it for ever.
  const unknown = new Set(listUnknown(projection).map(({ key }) => key));
  for (const deed of await read(run)) {
    if (deed.turn <= toTurn) continue;
    if (deed.kind === "tool") {
      if (deed.end.kind === "open" && unknown.has(deed.key))
        return refuse(
          "effect-unknown",
          `it is not known whether ${deed.tool} in turn ${deed.turn} of run ${run} happened`,
        );
      deeds.push(deed);
      continue;
    }
    const problem = await findUnstopped(deed, depth, stores);
    if (problem !== undefined) return problem;
    const below = await collectDeeds(deed.child, from, 0, depth + 1);
    if (below.kind === "refused") return below;
    deeds.push(...below.deeds);
    runs.push(...below.runs);
  }
  return { kind: "found", deeds, runs };
}

/**
 * A run that was handed to and may still act, though nothing is known of it: nobody has begun with
 * it, or it is further below than anybody looks.
 */
async function findUnstopped(
  { child, turn, isEnded }: HandoffDeed,
  depth: number,
  stores: RollbackPorts["stores"],
): Promise<Extract<RollbackSearch, { kind: "refused" }> | undefined> {
  if (depth >= FAMILY_DEPTH_MAX)
    return refuse(
      "not-stopped",
      `run ${child} is more than ${FAMILY_DEPTH_MAX} handoffs below: take back those below first`,
    );
  if ((await readRun(stores, child)) !== undefined) return undefined;
  const mayBegin = !isEnded || (await stores.inbox.has(child, "start"));
  return mayBegin
    ? refuse("not-stopped", `run ${child}, handed to in turn ${turn}, has not begun, and may`)
    : undefined;
}
