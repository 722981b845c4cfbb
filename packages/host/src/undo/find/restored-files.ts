/**
 * Files that earlier rollbacks have restored as far as an action, or further: to their state before
 * it, or before an earlier action on the same file. Such a file is done, even if it equals what the
 * action left: that may be by chance, and restoring it again would undo the rollback.
 */
import type { Stores } from "@turnseal/ports";
import { readRun } from "../../state/read-run.ts";
import {
  beforeOf,
  type ChangedFile,
  listChangedFiles,
  type RestoredFile,
  type RestoredFiles,
} from "./changed-files.ts";
import { readEffectsOfTurn, type ToolEffect } from "./read-effects.ts";
import {
  type CompensationEffect,
  type KnownRollback,
  readCompensations,
} from "./rollback-chain.ts";

/** Finds the files of an action that these rollbacks have restored already. */
export type FindRestored = (effect: ToolEffect, own?: string) => Promise<RestoredFiles>;

/** The place of an action: its claim, and the claims of the handoffs above it, from below. */
type Place = readonly { readonly run: string; readonly sequence: number }[];

/** `own` of an action is the key of the compensation that asks. */
export function createFindRestored(rollbacks: readonly KnownRollback[], stores: Stores) {
  let reading: Promise<readonly CompensationEffect[]> | undefined;
  const turns = new Map<string, Promise<readonly ToolEffect[]>>();
  const readAction = async ({ run, turn, key }: CompensationEffect["takesBack"]) => {
    const name = `${run} ${turn}`;
    const effects = turns.get(name) ?? readToolEffects(stores, run, turn);
    turns.set(name, effects);
    return (await effects).find((effect) => effect.key === key);
  };
  const find: FindRestored = async (effect, own) => {
    reading ??= listActed(rollbacks, stores);
    const root = effect.end.kind === "done" ? effect.end.artifacts?.root : undefined;
    const found = new Map<string, RestoredFile & { readonly at: Place }>();
    const place = await placeOf(stores, effect);
    for (const compensation of await reading) {
      const { takesBack } = compensation;
      // A rollback of a later turn restored files no further than this action left them.
      const isLater = takesBack.run === effect.run && takesBack.turn > effect.turn;
      if (compensation.key === own || isLater || root === undefined) continue;
      const action = await readAction(takesBack);
      const changes = action?.end.kind === "done" ? action.end.artifacts : undefined;
      if (action === undefined || changes?.root !== root) continue;
      const at = await placeOf(stores, action);
      if (!isUpTo(at, place)) continue;
      for (const [path, state] of await listStates(compensation, action, stores)) {
        const known = found.get(path);
        if (known === undefined || isUpTo(at, known.at))
          found.set(path, { run: action.run, state, at });
      }
    }
    return found;
  };
  return find;
}

/** Compensations that have changed files, or may have. */
async function listActed(
  rollbacks: readonly KnownRollback[],
  stores: Stores,
): Promise<readonly CompensationEffect[]> {
  const effects = await readCompensations(rollbacks, stores);
  return effects.filter(({ end }) => end.kind !== "nothing");
}

async function readToolEffects(stores: Stores, run: string, turn: number): Promise<ToolEffect[]> {
  const projection = await readRun(stores, run);
  const effects = projection === undefined ? [] : await readEffectsOfTurn(stores, projection, turn);
  return effects.flatMap((effect) => (effect.kind === "tool" ? effect : []));
}

/** Lists the states of the files after an action was undone. */
async function listStates(
  compensation: CompensationEffect,
  action: ToolEffect,
  stores: Stores,
): Promise<readonly (readonly [string, RestoredFile["state"]])[]> {
  const listOf = async ({ run, end }: ToolEffect): Promise<readonly ChangedFile[] | undefined> =>
    end.kind === "done" && end.artifacts !== undefined
      ? listChangedFiles(run, end.artifacts, stores)
      : undefined;
  const files = await listOf(action);
  // A failed one has restored the files of its settlement; any other has restored all.
  const hasFailed = compensation.end.kind === "done" && compensation.end.hasFailed === true;
  const changed = new Set(((await listOf(compensation)) ?? []).map(({ path }) => path));
  if (files === undefined) return [...changed].map((path) => [path, undefined]);
  const isKnown = compensation.end.kind === "done";
  return files
    .filter(({ path }) => !hasFailed || changed.has(path))
    .map((file) => [file.path, isKnown ? beforeOf(file) : undefined]);
}

async function placeOf(stores: Stores, { run, sequence }: ToolEffect): Promise<Place> {
  const place = [{ run, sequence }];
  for (const { run: at } of place) {
    const parent = (await readRun(stores, at))?.spec?.parent;
    if (parent !== undefined) place.push({ run: parent.run, sequence: parent.sequence });
  }
  return place;
}

/** True for an action and those before it: by the nearest log that both stand in. */
function isUpTo(one: Place, other: Place): boolean {
  for (const { run, sequence } of one) {
    const common = other.find((each) => each.run === run);
    if (common !== undefined) return sequence <= common.sequence;
  }
  return false;
}
