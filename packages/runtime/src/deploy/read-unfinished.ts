/** Every run that has not ended, of every tenant, page by page: nothing is kept of those before. */
import type { ReleaseBook, TenantReader } from "@turnseal/adapters/postgres";
import { type RunProjection, readRun, readSnapshot } from "@turnseal/host";

export interface UnfinishedRun {
  readonly tenant: string;
  readonly run: RunProjection;
  readonly stores: Pick<TenantReader, "log" | "inbox">;
}

export async function* readUnfinished(
  book: Pick<ReleaseBook, "listTenants" | "readerOf">,
): AsyncGenerator<UnfinishedRun> {
  for (const tenant of await book.listTenants()) {
    const stores = book.readerOf(tenant);
    for (let page = await stores.lists.listUnfinished(); page.length > 0; ) {
      for (const snapshot of page) {
        const run = readSnapshot(snapshot) ?? (await readRun(stores, snapshot.run));
        if (run !== undefined) yield { tenant, run, stores };
      }
      page = await stores.lists.listUnfinished(page.at(-1)?.run);
    }
  }
}
