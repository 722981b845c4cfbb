/**
 * Scans the runs of a tenant for one page of matching rows.
 *
 * However few match, one request looks at a bounded number of them: the next page goes on where
 * this one has stopped.
 */
import type { RunProjection } from "@turnseal/folds";
import { readRun, readSnapshot } from "@turnseal/host";
import { RUNS_LIST_MAX, type RunSnapshot } from "@turnseal/ports";
import { LIST_LOOKS_MAX } from "../limits.ts";
import type { SessionHost } from "../session-host.ts";

export interface RunScan<Row> {
  readonly after?: string | undefined;
  readonly limit: number;
  /** Returns the rows of a run for the page. */
  pick(run: ScannedRun): Promise<readonly Row[]>;
}

export interface ScannedRun {
  readonly snapshot: RunSnapshot;
  /** How the run stands. */
  read(): Promise<RunProjection | undefined>;
}

export interface ScannedPage<Row> {
  readonly rows: readonly Row[];
  /** The run to go on after; null when there are no more. */
  readonly next: string | null;
}

/** A page ends with the run that fills it: its rows are never torn apart. */
export async function scanRuns<Row>(
  { stores }: Pick<SessionHost, "stores">,
  { after, limit, pick }: RunScan<Row>,
): Promise<ScannedPage<Row>> {
  const rows: Row[] = [];
  let [last, looks] = [after, 0];
  for (;;) {
    const page = await stores.runs.list(last);
    for (const [index, snapshot] of page.entries()) {
      const read = async () => readSnapshot(snapshot) ?? (await readRun(stores, snapshot.run));
      rows.push(...(await pick({ snapshot, read })));
      last = snapshot.run;
      looks += 1;
      const isEnd = page.length < RUNS_LIST_MAX && index === page.length - 1;
      if (isEnd) return { rows, next: null };
      if (rows.length >= limit || looks >= LIST_LOOKS_MAX) return { rows, next: last };
    }
    if (page.length < RUNS_LIST_MAX) return { rows, next: null };
  }
}
