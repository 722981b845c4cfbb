/**
 * The answer to any lost message: finds runs that should have been looked at, and has them looked
 * at. A run that is being carried, or has nothing to do, is not changed by it.
 */
import { type RunProjection, readSnapshot } from "@turnseal/host";
import type { EngineSide } from "../folder/engine-side.ts";
import type { StoreFolder } from "../folder/store-folder.ts";

export interface RepairOptions {
  readonly stores: Pick<StoreFolder["stores"], "runs">;
  readonly engine: Pick<EngineSide, "lists" | "look">;
  /** Every unfinished run that moved since then is looked at: what it was owed may be lost. */
  readonly afterRestore?: Date;
  readonly nowMs: number;
}

export interface Repaired {
  /** Runs whose time had come. */
  readonly overdue: number;
  /** Runs that were told something nobody has read. */
  readonly told: number;
  readonly restored: number;
  /** Runs of which the engine would not hear. */
  readonly failed: readonly string[];
}

/** What happened so recently is probably on its way. */
export const REPAIR_GRACE_MS = 5_000;
/** How many are asked for at once. */
const AT_ONCE_MAX = 8;

export async function repairRuns(options: RepairOptions): Promise<Repaired> {
  const { engine, stores, afterRestore, nowMs } = options;
  const until = new Date(nowMs - REPAIR_GRACE_MS).toISOString();
  const seen = new Set<string>();
  const failed: string[] = [];
  const lookAll = async (pages: AsyncGenerator<readonly string[]>): Promise<number> => {
    let count = 0;
    for await (const page of pages) {
      const fresh = page.filter((run) => !seen.has(run));
      for (const run of fresh) seen.add(run);
      count += fresh.length;
      for (let at = 0; at < fresh.length; at += AT_ONCE_MAX) {
        const some = fresh.slice(at, at + AT_ONCE_MAX);
        await Promise.all(some.map((run) => engine.look(run).catch(() => failed.push(run))));
      }
    }
    return count;
  };
  return {
    overdue: await lookAll(listDue(engine, until)),
    told: await lookAll(listTold(engine, until)),
    restored:
      afterRestore === undefined ? 0 : await lookAll(listMoved(stores, afterRestore.toISOString())),
    failed,
  };
}

async function* listDue(
  { lists }: Pick<EngineSide, "lists">,
  until: string,
): AsyncGenerator<readonly string[]> {
  for (let page = await lists.listDue(until); page.length > 0; ) {
    yield page.map(({ run }) => run);
    page = await lists.listDue(until, page.at(-1));
  }
}

async function* listTold(
  { lists }: Pick<EngineSide, "lists">,
  until: string,
): AsyncGenerator<readonly string[]> {
  for (let page = await lists.listTold(until); page.length > 0; ) {
    yield page;
    page = await lists.listTold(until, page.at(-1));
  }
}

async function* listMoved(
  { runs }: RepairOptions["stores"],
  since: string,
): AsyncGenerator<readonly string[]> {
  for (let page = await runs.list(""); page.length > 0; ) {
    // A snapshot that cannot be read here says nothing of when its run moved: it is looked at.
    const isOwed = (state: RunProjection | undefined): boolean =>
      state === undefined || (state.stopped === null && state.lastAt >= since);
    yield page.filter((snapshot) => isOwed(readSnapshot(snapshot))).map(({ run }) => run);
    page = await runs.list(page.at(-1)?.run ?? "");
  }
}
