/**
 * The rollbacks of a run, one after the other: the id of each follows from the run and from how
 * many there were before it. So asking twice is asking for the same one, nothing is written to the
 * run that is taken back, and whoever has the run finds its rollbacks without an index.
 */
import type { Stores } from "@turnseal/ports";
import { isPlainObject, isPlanLoop, type PlanDocument } from "@turnseal/protocol";
import { isTakenAction } from "@turnseal/protocol/authoring";
import { readRun } from "../projection/read-run.ts";
import type { RunProjection } from "../projection/run-projection.ts";
import { readContent } from "../read-content.ts";
import { parseRollback, type RollbackHead, rollbackRun } from "../run-ids.ts";
import { type DeedEnd, readDeeds, type ToolDeed, type TriedUndo, toTried } from "./read-deeds.ts";

/** Rollbacks of one run: from then on a person has to do it. */
export const ROLLBACKS_MAX = 100;

type ChainStores = Pick<Stores, "log" | "runs" | "blobs" | "inbox">;

/** A rollback that there is. */
export interface KnownRollback {
  readonly run: string;
  readonly ordinal: number;
  readonly projection: RunProjection | undefined;
  /** What it says of itself; undefined where that was erased, or it is something else. */
  readonly head: RollbackHead | undefined;
}

/** The rollbacks of a run, the first one first. */
export async function listRollbacks(run: string, stores: ChainStores): Promise<KnownRollback[]> {
  const found: KnownRollback[] = [];
  for (let ordinal = 0; ordinal < ROLLBACKS_MAX; ordinal++) {
    const id = rollbackRun(run, ordinal);
    const read = await readRun(stores, id);
    // Whoever took it and was killed before the first event has not begun it.
    const projection = read === undefined || read.spec === null ? undefined : read;
    if (projection === undefined && !(await stores.inbox.has(id, "start"))) return found;
    found.push({ run: id, ordinal, projection, head: await readRollbackHead(stores, projection) });
  }
  return found;
}

/**
 * What a rollback says of itself; undefined for any other run, and after an erasure. Any plan can
 * say that it is one: its id is what cannot be had by saying so.
 */
export async function readRollbackHead(
  stores: Pick<Stores, "blobs">,
  projection: RunProjection | undefined,
): Promise<RollbackHead | undefined> {
  return (await readRollbackPlan(stores, projection))?.rollback;
}

/** True where a rollback takes back something that a run did in this turn, or later. */
export async function takesBackOf(
  stores: Pick<Stores, "blobs">,
  rollback: RunProjection,
  { run, turn }: { readonly run: string; readonly turn: number },
): Promise<boolean> {
  const { rollback: head, steps = [] } = (await readRollbackPlan(stores, rollback)) ?? {};
  if (head === undefined) return false;
  return steps.some(({ input }) => {
    const taken = isPlainObject(input) ? input["takesBack"] : undefined;
    return taken !== undefined && isTakenAction(taken) && taken.run === run && taken.turn >= turn;
  });
}

/** The plan of a rollback; undefined where it is none, or was erased. */
export async function readRollbackPlan(
  stores: Pick<Stores, "blobs">,
  projection: RunProjection | undefined,
): Promise<PlanDocument | undefined> {
  const { run, input: reference, spec } = projection ?? {};
  if (run === undefined || reference == null || !isPlanLoop(spec?.loop ?? "")) return undefined;
  return parseRollback(run, spec?.loop ?? "", await readContent(stores, run, reference));
}

/** A compensation that a rollback has claimed. */
export interface Taking {
  readonly key: string;
  /** The action that it takes back, as `nameAction` names it. */
  readonly action: string;
  /** False only where it is known that it did nothing. */
  readonly mayHaveActed: boolean;
  /** Where nobody knows whether it acted. */
  readonly tried?: TriedUndo;
}

/** A compensation as its claim and its end say it. */
export type TakingDeed = ToolDeed & { readonly takesBack: NonNullable<ToolDeed["takesBack"]> };

/** The compensations that rollbacks have claimed, however they ended. */
export async function listTakingDeeds(
  rollbacks: readonly Pick<KnownRollback, "run">[],
  stores: Pick<Stores, "log">,
): Promise<readonly TakingDeed[]> {
  const deeds: TakingDeed[] = [];
  for (const { run } of rollbacks)
    for (const deed of await readDeeds(stores, run))
      if (deed.kind === "tool" && deed.takesBack !== undefined)
        deeds.push({ ...deed, takesBack: deed.takesBack });
  return deeds;
}

/** What rollbacks have tried to take back by now. */
export async function listTakings(
  rollbacks: readonly KnownRollback[],
  stores: Stores,
): Promise<readonly Taking[]> {
  return (await listTakingDeeds(rollbacks, stores)).map((deed) => {
    const tried = toTried(deed);
    return {
      key: deed.key,
      action: nameAction(deed.takesBack),
      // Of what nobody knows, only a person can say that it did nothing. What put back some of its
      // files, and failed, is asked for again: it finds done what was done.
      mayHaveActed: deed.end.kind !== "nothing" && !hasFailed(deed.end),
      ...(tried === undefined ? {} : { tried }),
    };
  });
}

/** Without what was taken back; what may have been, though nobody knows, says by what. */
export function withoutTakings(deeds: readonly ToolDeed[], takings: readonly Taking[]): ToolDeed[] {
  const acted = takings.filter(({ mayHaveActed }) => mayHaveActed);
  const taken = new Set(acted.flatMap(({ tried, action }) => (tried === undefined ? action : [])));
  const tries = new Map(acted.map(({ tried, action }) => [action, tried]));
  return deeds.flatMap((deed) => {
    if (taken.has(nameAction(deed))) return [];
    const tried = tries.get(nameAction(deed));
    return tried === undefined ? deed : { ...deed, tried };
  });
}

function hasFailed(end: DeedEnd): boolean {
  return end.kind === "done" && end.hasFailed === true;
}

/** How much of what a rollback was to take back it has taken back by now. */
export interface RollbackProgress {
  readonly takenBack: number;
  readonly of: number;
}

/** Undefined where it is no rollback, or was erased. */
export async function readRollbackProgress(
  stores: Pick<Stores, "log" | "blobs">,
  projection: RunProjection | undefined,
): Promise<RollbackProgress | undefined> {
  const plan = await readRollbackPlan(stores, projection);
  if (plan?.rollback === undefined || projection === undefined) return undefined;
  const taken = (await listTakingDeeds([projection], stores)).flatMap(({ takesBack, end }) =>
    end.kind === "done" && !hasFailed(end) ? [nameAction(takesBack)] : [],
  );
  return { takenBack: new Set(taken).size, of: plan.steps.length };
}

export function nameAction({ run, key }: { readonly run: string; readonly key: string }): string {
  return `${run} ${key}`;
}
