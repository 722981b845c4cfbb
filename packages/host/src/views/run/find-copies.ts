/**
 * Runs that hold copies of what another run holds: those that it handed to, those that were forked
 * from it, those that were answered from a cache with what it gave, and theirs.
 */
import type { Stores } from "@turnseal/ports";
import { isClaimOf } from "@turnseal/protocol";
import { readEvents } from "../../projection/load-projection.ts";
import { readRun } from "../../projection/read-run.ts";

export type CopyKind = "handoff" | "fork" | "cache";

export interface RunCopy {
  readonly run: string;
  /** How it came to hold something. */
  readonly kind: CopyKind;
  /** Of which run. */
  readonly of: string;
}

/** Copies that are listed; whoever has more is told of these, and asks again. */
export const COPIES_MAX = 1_000;

type CopyStores = Pick<Stores, "log" | "runs">;

/**
 * Finds them, each once, the nearest first. It reads every run of the store, and the whole logs of
 * those that have caches: it is for who erases, and for nobody who waits.
 */
export async function findCopies(stores: CopyStores, run: string): Promise<readonly RunCopy[]> {
  const taken = await indexTaken(stores);
  const known = new Set([run]);
  const copies: RunCopy[] = [];
  const queue = [run];
  for (const source of queue) {
    for (const copy of [...(await listHanded(stores, source)), ...(taken.get(source) ?? [])]) {
      if (known.has(copy.run)) continue;
      if (copies.length >= COPIES_MAX) return copies;
      known.add(copy.run);
      copies.push(copy);
      queue.push(copy.run);
    }
  }
  return copies;
}

/** The runs that it handed to and that have begun, also those that have ended. */
async function listHanded({ log }: CopyStores, of: string): Promise<RunCopy[]> {
  const handed: RunCopy[] = [];
  for await (const event of readEvents(log, of, 1))
    if (isClaimOf("handoff", event) && (await log.readHead(event.content.child)) !== undefined)
      handed.push({ run: event.content.child, kind: "handoff", of });
  return handed;
}

/** Who took something from whom, by itself. */
async function indexTaken(stores: CopyStores): Promise<Map<string, RunCopy[]>> {
  const taken = new Map<string, RunCopy[]>();
  const add = (copy: RunCopy): void => {
    taken.set(copy.of, [...(taken.get(copy.of) ?? []), copy]);
  };
  for (let after = ""; ; ) {
    const page = await stores.runs.list(after);
    for (const { run } of page) {
      const spec = (await readRun(stores, run))?.spec;
      if (spec?.forkedFrom !== undefined) add({ run, kind: "fork", of: spec.forkedFrom.run });
      if (!Object.values(spec?.pinned ?? {}).some(({ cache }) => cache !== undefined)) continue;
      for await (const event of readEvents(stores.log, run, 1))
        if (event.type === "cache.hit") add({ run, kind: "cache", of: event.content.from.run });
    }
    const last = page.at(-1);
    if (last === undefined) return taken;
    after = last.run;
  }
}
