/**
 * Makes up for any lost message: finds runs that should have been looked at, and has them looked
 * at. A run that is being driven, or has nothing to do, stays as it is.
 */
import {
  LOOK_DELAY_MS_MAX,
  LOOKS_MAX,
  type Look,
  lookAfterLoss,
  readSnapshot,
} from "@turnseal/host";
import type { RunSnapshot } from "@turnseal/ports";
import type { EngineSide, StoreFolder } from "@turnseal/runtime/folder";

export interface RepairOptions {
  readonly stores: Pick<StoreFolder["stores"], "runs">;
  readonly engine: Pick<EngineSide, "lists" | "lookAll">;
  /** Also looks at every unfinished run that moved since then: its messages may be lost. */
  readonly afterRestore?: Date;
  /** With `afterRestore`: goes on behind this run, where an earlier repair has stopped. */
  readonly after?: string;
  /** Also looks at every blocked run: its obstacle may be gone. */
  readonly withBlocked?: boolean;
  readonly nowMs: number;
  /** Reports how many runs were checked so far, and up to which run of the restored ones. */
  readonly onProgress?: (checked: number, upTo: string | undefined) => void;
}

export interface Repaired {
  /** Runs whose time had come. */
  readonly overdue: number;
  /** Runs with an unread message. */
  readonly told: number;
  /** Blocked runs, if they were requested. */
  readonly blocked: number;
  /** Unfinished runs that moved since the backup. */
  readonly restored: number;
  /** Of these: runs with a look at their time, and not before. */
  readonly scheduled: number;
  /** Of these: runs that only a message moves, so they need no look. */
  readonly resting: number;
  /** Runs whose looks did not reach the engine. */
  readonly failed: readonly string[];
}

/** Messages this recent are probably on their way. */
export const REPAIR_GRACE_MS = 5_000;
/** Messages at once. */
const AT_ONCE_MAX = 4;

export async function repairRuns(options: RepairOptions): Promise<Repaired> {
  const { engine, afterRestore, nowMs } = options;
  const until = new Date(nowMs - REPAIR_GRACE_MS).toISOString();
  const seen = new Set<string>();
  const asking = createAsking(options);
  /** Every run once, even if several lists have it. */
  const lookOnce = async (pages: AsyncGenerator<readonly string[]>): Promise<number> => {
    const before = seen.size;
    for await (const page of pages) {
      const fresh = page.filter((run) => !seen.has(run));
      for (const run of fresh) seen.add(run);
      await asking.ask(fresh.map((run) => ({ run })));
    }
    return seen.size - before;
  };
  const overdue = await lookOnce(listDue(engine, until));
  const told = await lookOnce(listTold(engine, until));
  const blocked = options.withBlocked === true ? await lookOnce(listBlocked(engine)) : 0;
  const counts = { restored: 0, scheduled: 0, resting: 0 };
  if (afterRestore !== undefined)
    for await (const page of listRuns(options)) {
      const moved = page
        .filter(({ run }) => !seen.has(run))
        .flatMap((snapshot) => findOwed(snapshot, afterRestore.toISOString(), nowMs));
      const looks = moved.filter((look) => look !== "none");
      counts.restored += moved.length;
      counts.resting += moved.length - looks.length;
      counts.scheduled += looks.filter(({ delayMs }) => delayMs !== undefined).length;
      await asking.ask(looks, { checked: moved.length, upTo: page.at(-1)?.run });
    }
  return { overdue, told, blocked, ...counts, failed: asking.failed };
}

/** Asks the engine for looks, some at once, and tells how far it is. */
function createAsking({ engine, onProgress }: RepairOptions) {
  const failed: string[] = [];
  let total = 0;
  const send = async (looks: readonly Look[]): Promise<void> => {
    await engine.lookAll(looks).catch(() => failed.push(...looks.map(({ run }) => run)));
  };
  return {
    failed,
    ask: async (
      looks: readonly Look[],
      page: { readonly checked: number; readonly upTo?: string | undefined } = {
        checked: looks.length,
      },
    ): Promise<void> => {
      for (let at = 0; at < looks.length; at += LOOKS_MAX * AT_ONCE_MAX)
        await Promise.all(
          Array.from({ length: AT_ONCE_MAX }, (_, batch) => at + batch * LOOKS_MAX)
            .filter((from) => from < looks.length)
            .map((from) => send(looks.slice(from, from + LOOKS_MAX))),
        );
      total += page.checked;
      onProgress?.(total, page.upTo);
    },
  };
}

/** Returns the look that is owed to a run that moved since then; empty for another run. */
function findOwed(snapshot: RunSnapshot, since: string, nowMs: number): (Look | "none")[] {
  const { run } = snapshot;
  const state = readSnapshot(snapshot);
  // A snapshot that cannot be read here leaves the state open: its run is looked at.
  if (state === undefined) return [{ run }];
  if (state.stopped !== null || state.lastAt < since) return [];
  const atMs = lookAfterLoss(state, nowMs);
  if (atMs === undefined) return ["none"];
  return [atMs <= nowMs ? { run } : { run, delayMs: Math.min(atMs - nowMs, LOOK_DELAY_MS_MAX) }];
}

async function* listBlocked({ lists }: RepairOptions["engine"]): AsyncGenerator<string[]> {
  for (let page = await lists.listUnfinished(); page.length > 0; ) {
    // A snapshot that cannot be read here leaves the state open: its run is looked at.
    yield page.filter((snapshot) => readSnapshot(snapshot)?.blocked !== null).map(({ run }) => run);
    page = await lists.listUnfinished(page.at(-1)?.run);
  }
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

async function* listRuns({
  stores: { runs },
  after = "",
}: RepairOptions): AsyncGenerator<readonly RunSnapshot[]> {
  for (let page = await runs.list(after); page.length > 0; ) {
    yield page;
    page = await runs.list(page.at(-1)?.run ?? "");
  }
}
