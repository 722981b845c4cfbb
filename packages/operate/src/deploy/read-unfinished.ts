/**
 * Every unfinished run of every tenant, page by page: no page is kept. Runs whose start is not
 * taken in yet are included: their needs are fixed.
 */
import type { ReleaseBook, TenantReader } from "@turnseal/adapters/postgres";
import type { RunProjection } from "@turnseal/folds";
import { readQueued, readRun, readSnapshot } from "@turnseal/host";

export interface UnfinishedRun {
  readonly tenant: string;
  readonly run: RunProjection;
  readonly stores: Pick<TenantReader, "log" | "inbox">;
}

/** Matches messages of any time. */
const ANY_TIME = "9999-12-31T23:59:59.999Z";

export async function* readUnfinished(
  book: Pick<ReleaseBook, "listTenants" | "readerOf">,
): AsyncGenerator<UnfinishedRun> {
  for (const tenant of await book.listTenants()) {
    const stores = book.readerOf(tenant);
    for (let page = await stores.lists.listUnfinished(); page.length > 0; ) {
      for (const snapshot of page) {
        const run = readSnapshot(snapshot) ?? (await readRun(stores, snapshot.run));
        const queued = run?.spec === null ? await readQueued(stores, run.run) : undefined;
        if (run !== undefined) yield { tenant, run: queued ?? run, stores };
      }
      page = await stores.lists.listUnfinished(page.at(-1)?.run);
    }
    for (let page = await stores.lists.listTold(ANY_TIME); page.length > 0; ) {
      for (const told of page) {
        const isKnown = (await stores.runs.read(told)) !== undefined;
        const run = isKnown ? undefined : await readQueued(stores, told);
        if (run !== undefined) yield { tenant, run, stores };
      }
      page = await stores.lists.listTold(ANY_TIME, page.at(-1));
    }
  }
}
