/**
 * What a rollback of a run would take back, the latest first, and what it would leave (spec/
 * rollback.md §3). It looks, and changes nothing.
 */
import {
  type ArtifactChanges,
  canonicalize,
  type JsonValue,
  PLAN_STEPS_MAX,
} from "@turnseal/protocol";
import { FILES_BUILD, type TakenAction } from "@turnseal/protocol/authoring";
import type { ClientPorts } from "../host-ports.ts";
import { FAMILY_DEPTH_MAX } from "../projection/family-depth.ts";
import { readRun } from "../projection/read-run.ts";
import { readContent } from "../read-content.ts";
import type { RollbackHead } from "../run-ids.ts";
import { type Checkpoint, findCheckpoint } from "./checkpoints.ts";
import { listAncestors } from "./list-ancestors.ts";
import { listFilesSteps, lookAround } from "./look-around.ts";
import { createFindPutBack } from "./put-back.ts";
import { type HandoffDeed, readDeeds, type ToolDeed, type TriedUndo } from "./read-deeds.ts";
import { areFilesKept } from "./restore-files.ts";
import {
  type KnownRollback,
  listRollbacks,
  listTakings,
  ROLLBACKS_MAX,
  withoutTakings,
} from "./rollback-chain.ts";
import { sizeOf } from "./size-of.ts";

type LeftAction = RollbackHead["left"][number];

export interface RollbackRequest {
  readonly run: string;
  /** The last turn that stays; 0 for none. */
  readonly toTurn: number;
}

/** An action that can be taken back, and what does it. */
export interface UndoStep {
  readonly takesBack: TakenAction & { readonly input: JsonValue; readonly result: JsonValue };
  /** The tool that acted. */
  readonly tool: string;
  /** The loop that takes it back, and the name that a grant has for it. */
  readonly loop: string;
  readonly version: string;
  readonly undo: string;
  readonly doneAt: string;
  /** Until when it can be taken back; absent for ever. */
  readonly until?: string;
  /** The files that it changed, where it did. */
  readonly changes?: ArtifactChanges;
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

export type RollbackPorts = Pick<ClientPorts, "stores" | "registry" | "tools" | "clock">;

export async function listRollback(
  { run, toTurn }: RollbackRequest,
  ports: RollbackPorts,
): Promise<RollbackSearch> {
  const { stores } = ports;
  const projection = await readRun(stores, run);
  if (projection === undefined) return refuse("run-unknown", "there is no such run");
  if (toTurn > projection.turns)
    return refuse("turn-unknown", `the run has no turn ${toTurn}: it closed ${projection.turns}`);
  const found = await collectDeeds(run, ports, toTurn);
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
  const takings = await listTakings([...chains.values()].flat(), stores);
  const wanted = withoutTakings(deeds, takings);
  const { steps, left, ...beyond } = await fillPage(wanted.toReversed(), ports);
  if (own.length >= ROLLBACKS_MAX)
    return refuse("too-many", `the run was taken back ${own.length} times: do the rest by hand`);
  const last = own.findLast(({ head }) => head?.toTurn === toTurn);
  if (steps.length === 0 && last !== undefined)
    return { kind: "known", rollback: last, of: run, left };
  const ordinal = own.filter(({ projection }) => projection !== undefined).length;
  const family = new Set([...runs, ...[...chains.values()].flat().map((each) => each.run)]);
  const findPutBack = createFindPutBack([...chains.values()].flat(), stores);
  const files = await listFilesSteps(steps, wanted, findPutBack);
  const around = await lookAround(files, family, ports);
  const checkpoint = await findCheckpoint(stores, run, toTurn);
  const back = checkpoint === undefined ? {} : { checkpoint };
  return { kind: "listed", run, toTurn, ordinal, steps, left, ...beyond, ...around, ...back };
}

/** Bytes of what one rollback holds of actions, and of what it says of those that are left. */
export const PAGE_BYTES_MAX = 640 * 1024;
export const LEFT_BYTES_MAX = 128 * 1024;

type Page = Pick<RollbackList, "steps" | "left" | "later" | "leftBeside">;

/**
 * As much as one rollback holds, the latest first: of the rest it says how much there is, and the
 * next rollback has it.
 */
async function fillPage(deeds: readonly ToolDeed[], ports: RollbackPorts): Promise<Page> {
  const steps: UndoStep[] = [];
  const left: LeftAction[] = [];
  let [stepBytes, leftBytes, leftBeside] = [0, 0, 0];
  const beside = () => (leftBeside === 0 ? {} : { leftBeside });
  for (const [index, deed] of deeds.entries()) {
    const judged = await judgeDeed(deed, ports);
    if (judged.kind === "left") {
      leftBytes += sizeOf({ ...judged.left });
      if (leftBytes > LEFT_BYTES_MAX) leftBeside += 1;
      else left.push(judged.left);
    }
    if (judged.kind !== "undo") continue;
    stepBytes += sizeOf({ ...judged.step.takesBack });
    const isFull = steps.length === PLAN_STEPS_MAX || stepBytes > PAGE_BYTES_MAX;
    if (isFull) return { steps, left, ...beside(), later: deeds.length - index };
    steps.push(judged.step);
  }
  return { steps, left, ...beside() };
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
  ports: RollbackPorts,
  toTurn: number,
  depth = 0,
): Promise<Collected> {
  const { stores } = ports;
  const projection = await readRun(stores, run);
  // A run that was never begun has done nothing: one that may still begin is refused above.
  if (projection === undefined) return { kind: "found", deeds: [], runs: [] };
  if (projection.stopped === null) return refuse("not-stopped", `run ${run} has not stopped`);
  const deeds: ToolDeed[] = [];
  const runs = [run];
  for (const deed of await readDeeds(stores, run)) {
    if (deed.turn <= toTurn) continue;
    if (deed.kind === "tool") {
      if (deed.end.kind === "open")
        return refuse(
          "effect-unknown",
          `it is not known whether ${deed.tool} in turn ${deed.turn} of run ${run} happened`,
        );
      deeds.push(deed);
      continue;
    }
    const problem = await findUnstopped(deed, depth, stores);
    if (problem !== undefined) return problem;
    const below = await collectDeeds(deed.child, ports, 0, depth + 1);
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

export type JudgedDeed =
  | { readonly kind: "undo"; readonly step: UndoStep }
  | { readonly kind: "left"; readonly left: LeftAction }
  | { readonly kind: "nothing" };

/** Whether an action can be taken back now. */
export async function judgeDeed(deed: ToolDeed, ports: RollbackPorts): Promise<JudgedDeed> {
  const { run, turn, key, tool, end, compensation } = deed;
  const leave = (why: LeftAction["why"], reason?: string): JudgedDeed => ({
    kind: "left",
    left: { run, turn, key, tool, why, ...(reason === undefined ? {} : { reason }) },
  });
  if (end.kind === "abandoned") return leave("abandoned");
  if (end.kind !== "done") return { kind: "nothing" };
  // Whatever else speaks against it: who puts it right has to know that this was tried.
  if (deed.tried !== undefined)
    return leave("compensation-unknown", describeTried(deed.tried, run));
  if (compensation === undefined)
    return deed.irreversible === undefined
      ? leave("undeclared")
      : leave("irreversible", deed.irreversible);
  const isOfFiles = compensation.build === FILES_BUILD;
  // A person said that it happened, and nobody which files it changed.
  if (isOfFiles && end.isSaid === true) return leave("unrecorded");
  if (isOfFiles && end.artifacts === undefined) return { kind: "nothing" };
  const { stores, registry, tools, clock } = ports;
  const { loop, version, withinMs = Number.POSITIVE_INFINITY } = compensation;
  if (clock.now() > Date.parse(end.at) + withinMs) return leave("expired");
  const undo = registry.resolve(loop, version)?.definition.tool?.implementation;
  const bound = undo === undefined ? undefined : tools.find(undo, version);
  // A loop of the same name that takes nothing back is another one.
  if (undo === undefined || bound?.takesBack !== true) return leave("compensation-missing");
  if (bound.build !== compensation.build) return leave("compensation-changed");
  const receipt = await stores.receipts.read(run, turn);
  if (receipt === undefined) return leave("unsealed");
  const input = await readContent(stores, run, deed.request);
  const result = end.result === undefined ? null : await readContent(stores, run, end.result);
  if (input === undefined || result === undefined) return leave("erased");
  if (end.artifacts !== undefined && !(await areFilesKept(run, end.artifacts, stores)))
    return leave("erased");
  const takesBack = { run, turn, key, receipt: receipt.id, input, result };
  if (sizeOf(takesBack) > PAGE_BYTES_MAX) return leave("too-large");
  const until =
    compensation.withinMs === undefined
      ? {}
      : { until: new Date(Date.parse(end.at) + withinMs).toISOString() };
  const changes = end.artifacts === undefined ? {} : { changes: end.artifacts };
  const step = { takesBack, tool, loop, version, undo, doneAt: end.at, ...until, ...changes };
  return { kind: "undo", step };
}

function describeTried({ tool, turn, run, isAbandoned }: TriedUndo, of: string): string {
  const place = run === of ? `turn ${turn}` : `run ${run}`;
  const end = isAbandoned ? "which a person abandoned" : "whose end is not known";
  return `${tool} in ${place}, ${end}`;
}

/** True when two say the same of an action, of what it was given and of what it gave. */
export function isSameAction(one: UndoStep["takesBack"], other: JsonValue): boolean {
  return canonicalize({ ...one }) === canonicalize(other);
}
