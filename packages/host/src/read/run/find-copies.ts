/**
 * Finds the runs that hold copies of another run's content. They are the runs that it handed to,
 * the run that got its result, its forks, and the runs that a cache answered from it. Rollbacks
 * that take back its actions count, too, and so do the copies of all these.
 *
 * 1. A run that was erased holds nothing, and is not listed; runs with copies of it are.
 * 2. A run that got a result holds it from that handoff on: its earlier content is no copy.
 */
import type { RunSnapshot, Stores } from "@turnseal/ports";
import { isClaimOf, type RunSpec } from "@turnseal/protocol";
import { readEvents, readSnapshot } from "../../state/load-projection.ts";
import { readRun } from "../../state/read-run.ts";
import { listAncestors } from "../../undo/find/list-ancestors.ts";
import { listRollbacks, undoesSince } from "../../undo/find/rollback-chain.ts";

export type CopyKind = "handoff" | "result" | "fork" | "cache" | "rollback";

export interface RunCopy {
  readonly run: string;
  /** How it came to hold something. */
  readonly kind: CopyKind;
  /** The run that it copies from. */
  readonly of: string;
}

/** The most copies that are listed. With more, erase these and ask again. */
export const COPIES_MAX = 1_000;

type CopyStores = Pick<Stores, "log" | "runs" | "blobs" | "inbox">;

/** From where on a run holds something: the turn, and the event. */
interface Since {
  readonly turn: number;
  readonly sequence: number;
}

const BEGINNING: Since = { turn: 0, sequence: 0 };

interface FoundCopy extends RunCopy {
  readonly since: Since;
}

/** `turn`: the last of the other run that it may hold something of. */
type TakenCopy = RunCopy & { readonly turn: number };

/**
 * Finds them, each once, the nearest first. It reads the snapshot of every run of the store, and
 * the whole logs of runs with caches. It is slow, and meant for erasures.
 */
export async function findCopies(stores: CopyStores, run: string): Promise<readonly RunCopy[]> {
  const taken = await indexTaken(stores);
  const known = new Map([[run, BEGINNING]]);
  const copies: RunCopy[] = [];
  for (const [source, since] of known) {
    for (const copy of await listCopies(stores, { source, since, taken })) {
      const before = known.get(copy.run);
      if (before !== undefined && before.sequence <= copy.since.sequence) continue;
      // A run that holds more than was known is visited again: deleting and setting the key moves
      // it to the end of the map.
      known.delete(copy.run);
      known.set(copy.run, copy.since);
      if (before !== undefined || !(await holdsContent(stores, copy.run))) continue;
      copies.push({ run: copy.run, kind: copy.kind, of: copy.of });
      if (copies.length >= COPIES_MAX) return copies;
    }
  }
  return copies;
}

interface Source {
  readonly source: string;
  readonly since: Since;
  readonly taken: ReadonlyMap<string, readonly TakenCopy[]>;
}

async function listCopies(
  stores: CopyStores,
  { source, since, taken }: Source,
): Promise<readonly FoundCopy[]> {
  const others = (taken.get(source) ?? []).filter(({ turn }) => turn >= since.turn);
  return [
    ...(await listHanded(stores, source, since)),
    ...(await listTold(stores, source)),
    ...(await listUndoing(stores, source, since)),
    ...others.map((copy) => ({ ...copy, since: BEGINNING })),
  ];
}

/** An erased run has no key and no messages left. */
async function holdsContent({ blobs, inbox }: CopyStores, run: string): Promise<boolean> {
  return (await blobs.readKey(run)) !== undefined || inbox.has(run);
}

/** The runs that it handed to, also ended ones, and ones without events. */
async function listHanded({ log }: CopyStores, of: string, since: Since): Promise<FoundCopy[]> {
  const handed: FoundCopy[] = [];
  for await (const event of readEvents(log, of, since.sequence + 1))
    if (isClaimOf("handoff", event))
      handed.push({ run: event.content.child, kind: "handoff", of, since: BEGINNING });
  return handed;
}

/** The run that handed to it, if it got the result. */
async function listTold(stores: CopyStores, of: string): Promise<FoundCopy[]> {
  const parent = (await readRun(stores, of))?.spec?.parent;
  if (parent === undefined || !(await wasTold(stores, parent))) return [];
  const { run, turn, sequence } = parent;
  return [{ run, kind: "result", of, since: { turn, sequence } }];
}

/**
 * The rollbacks that undo its actions: each has the input and the result of every such action in
 * its own input. A rollback that has not begun may have them, and is listed.
 */
async function listUndoing(stores: CopyStores, of: string, since: Since): Promise<FoundCopy[]> {
  const undoing: FoundCopy[] = [];
  for (const above of [of, ...(await listAncestors(stores, of))])
    for (const { run, projection } of await listRollbacks(above, stores)) {
      const from = { run: of, turn: since.turn };
      if (projection !== undefined && !(await undoesSince(stores, projection, from))) continue;
      undoing.push({ run, kind: "rollback", of, since: BEGINNING });
    }
  return undoing;
}

async function wasTold(
  { log, inbox }: CopyStores,
  { run, sequence }: NonNullable<RunSpec["parent"]>,
): Promise<boolean> {
  for await (const event of readEvents(log, run, sequence + 1))
    if (event.type === "action.settled" && event.content.claim === sequence)
      return event.content.result !== undefined;
  return inbox.has(run, "result");
}

/** Which runs have copied from which, by fork or cache. */
async function indexTaken(stores: CopyStores): Promise<Map<string, TakenCopy[]>> {
  const taken = new Map<string, TakenCopy[]>();
  const add = (copy: TakenCopy): void => {
    const others = taken.get(copy.of);
    if (others === undefined) taken.set(copy.of, [copy]);
    else others.push(copy);
  };
  for (let after = ""; ; ) {
    const page = await stores.runs.list(after);
    for (const snapshot of page) {
      const { run } = snapshot;
      const { forkedFrom, pinned = {} } = (await readSpec(stores, snapshot)) ?? {};
      // A fork gets the content before its turn.
      if (forkedFrom !== undefined)
        add({ run, kind: "fork", of: forkedFrom.run, turn: forkedFrom.turn - 1 });
      if (!Object.values(pinned).some(({ cache }) => cache !== undefined)) continue;
      for (const [of, turn] of await listGivers(stores, run)) add({ run, kind: "cache", of, turn });
    }
    const last = page.at(-1);
    if (last === undefined) return taken;
    after = last.run;
  }
}

/** The runs that answered calls of this one, each with the latest turn of it that did. */
async function listGivers({ log }: CopyStores, run: string): Promise<ReadonlyMap<string, number>> {
  const givers = new Map<string, number>();
  for await (const event of readEvents(log, run, 1)) {
    if (event.type !== "cache.hit") continue;
    const { run: giver, turn } = event.content.from;
    givers.set(giver, Math.max(givers.get(giver) ?? 0, turn));
  }
  return givers;
}

/** The specification of a run never changes: if its snapshot has it, nothing else is read. */
async function readSpec(stores: CopyStores, snapshot: RunSnapshot): Promise<RunSpec | undefined> {
  const spec = readSnapshot(snapshot)?.spec ?? (await readRun(stores, snapshot.run))?.spec;
  return spec ?? undefined;
}
