/**
 * The rollbacks of a run, one after the other: the id of each follows from the run and from how
 * many there were before it. So asking twice names the same one, and the original run stays as it
 * is. Its id is enough to find its rollbacks, without an index.
 */

import type { RunProjection } from "@turnseal/folds";
import type { Stores } from "@turnseal/ports";
import { isPlainObject, isPlanLoop, type PlanDocument } from "@turnseal/protocol";
import { isTakenAction } from "@turnseal/protocol/authoring";
import { parseRollback, type RollbackHead, rollbackRun } from "../../run-ids.ts";
import { readContent } from "../../state/read-content.ts";
import { readRun } from "../../state/read-run.ts";
import {
  type EffectEnd,
  readEffects,
  type ToolEffect,
  toUnknown,
  type UnknownCompensation,
} from "./read-effects.ts";

/** Rollbacks of one run: from then on a person has to do it. */
export const ROLLBACKS_MAX = 100;

type ChainStores = Pick<Stores, "log" | "runs" | "blobs" | "inbox">;

/** A rollback that there is. */
export interface KnownRollback {
  readonly run: string;
  readonly ordinal: number;
  readonly projection: RunProjection | undefined;
  /** Its head; undefined if it was erased, or if this is no rollback. */
  readonly head: RollbackHead | undefined;
}

/** The rollbacks of a run, the first one first. */
export async function listRollbacks(run: string, stores: ChainStores): Promise<KnownRollback[]> {
  const found: KnownRollback[] = [];
  for (let ordinal = 0; ordinal < ROLLBACKS_MAX; ordinal++) {
    const id = rollbackRun(run, ordinal);
    const read = await readRun(stores, id);
    // A rollback without events has not begun, even if a worker took its epoch and was killed.
    const projection = read === undefined || read.spec === null ? undefined : read;
    if (projection === undefined && !(await stores.inbox.has(id, "start"))) return found;
    found.push({ run: id, ordinal, projection, head: await readRollbackHead(stores, projection) });
  }
  return found;
}

/**
 * Reads the head of a rollback; undefined for any other run, and after an erasure. Any plan can
 * claim to be one: its id is the proof.
 */
export async function readRollbackHead(
  stores: Pick<Stores, "blobs">,
  projection: RunProjection | undefined,
): Promise<RollbackHead | undefined> {
  return (await readRollbackPlan(stores, projection))?.rollback;
}

/** True if a rollback undoes an action of a run in this turn, or later. */
export async function undoesSince(
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

/** The plan of a rollback; undefined if it is none, or was erased. */
export async function readRollbackPlan(
  stores: Pick<Stores, "blobs">,
  projection: RunProjection | undefined,
): Promise<PlanDocument | undefined> {
  const { run, input: reference, spec } = projection ?? {};
  if (run === undefined || reference == null || !isPlanLoop(spec?.loop ?? "")) return undefined;
  return parseRollback(run, spec?.loop ?? "", await readContent(stores, run, reference));
}

/** A compensation that a rollback has claimed. */
export interface ClaimedCompensation {
  readonly key: string;
  /** The action that it undoes, as `nameAction` names it. */
  readonly action: string;
  /** False only where it is known that it did nothing. */
  readonly mayHaveActed: boolean;
  /** Set if it may have acted. */
  readonly attempt?: UnknownCompensation;
}

/** A compensation as its claim and its end say it. */
export type CompensationEffect = ToolEffect & {
  readonly takesBack: NonNullable<ToolEffect["takesBack"]>;
};

/** The compensations that rollbacks have claimed, however they ended. */
export async function readCompensations(
  rollbacks: readonly Pick<KnownRollback, "run">[],
  stores: Pick<Stores, "log">,
): Promise<readonly CompensationEffect[]> {
  const effects: CompensationEffect[] = [];
  for (const { run } of rollbacks)
    for (const effect of await readEffects(stores, run))
      if (effect.kind === "tool" && effect.takesBack !== undefined)
        effects.push({ ...effect, takesBack: effect.takesBack });
  return effects;
}

/** Lists the actions that rollbacks have tried to undo by now. */
export async function listCompensations(
  rollbacks: readonly KnownRollback[],
  stores: Stores,
): Promise<readonly ClaimedCompensation[]> {
  return (await readCompensations(rollbacks, stores)).map((effect) => {
    const attempt = toUnknown(effect);
    return {
      key: effect.key,
      action: nameEffect(effect.takesBack),
      // Only a person can say that an unknown compensation did nothing. If a compensation restored
      // some of its files and failed, another try finds those files done.
      mayHaveActed: effect.end.kind !== "nothing" && !hasFailed(effect.end),
      ...(attempt === undefined ? {} : { attempt }),
    };
  });
}

/** Drops the actions that were undone; an action that may have been undone names the attempt. */
export function withoutCompensated(
  effects: readonly ToolEffect[],
  compensations: readonly ClaimedCompensation[],
): ToolEffect[] {
  const acted = compensations.filter(({ mayHaveActed }) => mayHaveActed);
  const undone = new Set(
    acted.flatMap(({ attempt, action }) => (attempt === undefined ? action : [])),
  );
  const attempts = new Map(acted.map(({ attempt, action }) => [action, attempt]));
  return effects.flatMap((effect) => {
    if (undone.has(nameEffect(effect))) return [];
    const attempt = attempts.get(nameEffect(effect));
    return attempt === undefined ? effect : { ...effect, attempt };
  });
}

function hasFailed(end: EffectEnd): boolean {
  return end.kind === "done" && end.hasFailed === true;
}

/** How many of its actions a rollback has undone by now. */
export interface RollbackProgress {
  readonly takenBack: number;
  readonly of: number;
}

/** Undefined if it is no rollback, or was erased. */
export async function readRollbackProgress(
  stores: Pick<Stores, "log" | "blobs">,
  projection: RunProjection | undefined,
): Promise<RollbackProgress | undefined> {
  const plan = await readRollbackPlan(stores, projection);
  if (plan?.rollback === undefined || projection === undefined) return undefined;
  const taken = (await readCompensations([projection], stores)).flatMap(({ takesBack, end }) =>
    end.kind === "done" && !hasFailed(end) ? [nameEffect(takesBack)] : [],
  );
  return { takenBack: new Set(taken).size, of: plan.steps.length };
}

export function nameEffect({ run, key }: { readonly run: string; readonly key: string }): string {
  return `${run} ${key}`;
}
