/**
 * Files that earlier rollbacks have put back as far as an action, or further: to what they were
 * before it, or before an earlier action on the same file. Such a file is done, whatever the action
 * left: its content may be the same by chance, and putting it back again would undo the rollback.
 */
import type { Stores } from "@turnseal/ports";
import { readRun } from "../projection/read-run.ts";
import { readDeedsOfTurn, type ToolDeed } from "./read-deeds.ts";
import {
  beforeOf,
  type FileChanged,
  listFilesOf,
  type PutBack,
  type PutBackFiles,
} from "./restore-files.ts";
import { type KnownRollback, listTakingDeeds, type TakingDeed } from "./rollback-chain.ts";

/** Says of an action which of its files these rollbacks have put back already. */
export type FindPutBack = (deed: ToolDeed, own?: string) => Promise<PutBackFiles>;

/** Where an action stands: its claim, and those that handed to its run, from below. */
type Place = readonly { readonly run: string; readonly sequence: number }[];

/** `own` of an action is the key of the compensation that asks. */
export function createFindPutBack(rollbacks: readonly KnownRollback[], stores: Stores) {
  let reading: Promise<readonly TakingDeed[]> | undefined;
  const turns = new Map<string, Promise<readonly ToolDeed[]>>();
  const readAction = async ({ run, turn, key }: TakingDeed["takesBack"]) => {
    const name = `${run} ${turn}`;
    const deeds = turns.get(name) ?? readToolDeeds(stores, run, turn);
    turns.set(name, deeds);
    return (await deeds).find((deed) => deed.key === key);
  };
  const find: FindPutBack = async (deed, own) => {
    reading ??= listActed(rollbacks, stores);
    const root = deed.end.kind === "done" ? deed.end.artifacts?.root : undefined;
    const found = new Map<string, PutBack & { readonly at: Place }>();
    const place = await placeOf(stores, deed);
    for (const taking of await reading) {
      const { takesBack } = taking;
      // What was done in a later turn was put back no further than this action left it.
      const isLater = takesBack.run === deed.run && takesBack.turn > deed.turn;
      if (taking.key === own || isLater || root === undefined) continue;
      const action = await readAction(takesBack);
      const changes = action?.end.kind === "done" ? action.end.artifacts : undefined;
      if (action === undefined || changes?.root !== root) continue;
      const at = await placeOf(stores, action);
      if (!isUpTo(at, place)) continue;
      for (const [path, state] of await listStates(taking, action, stores)) {
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
): Promise<readonly TakingDeed[]> {
  const deeds = await listTakingDeeds(rollbacks, stores);
  return deeds.filter(({ end }) => end.kind !== "nothing");
}

async function readToolDeeds(stores: Stores, run: string, turn: number): Promise<ToolDeed[]> {
  const projection = await readRun(stores, run);
  const deeds = projection === undefined ? [] : await readDeedsOfTurn(stores, projection, turn);
  return deeds.flatMap((deed) => (deed.kind === "tool" ? deed : []));
}

/** What the files of an action became when it was taken back. */
async function listStates(
  taking: TakingDeed,
  action: ToolDeed,
  stores: Stores,
): Promise<readonly (readonly [string, PutBack["state"]])[]> {
  const listOf = async ({ run, end }: ToolDeed): Promise<readonly FileChanged[] | undefined> =>
    end.kind === "done" && end.artifacts !== undefined
      ? listFilesOf(run, end.artifacts, stores)
      : undefined;
  const files = await listOf(action);
  // One that failed has put back what its settlement has; one that did not, all that there were.
  const hasFailed = taking.end.kind === "done" && taking.end.hasFailed === true;
  const changed = new Set(((await listOf(taking)) ?? []).map(({ path }) => path));
  if (files === undefined) return [...changed].map((path) => [path, undefined]);
  const isKnown = taking.end.kind === "done";
  return files
    .filter(({ path }) => !hasFailed || changed.has(path))
    .map((file) => [file.path, isKnown ? beforeOf(file) : undefined]);
}

async function placeOf(stores: Stores, { run, sequence }: ToolDeed): Promise<Place> {
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
