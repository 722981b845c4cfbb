/**
 * Many tenants at work on few connections. Each has the same runs as all others, and writes its own
 * name into everything; every read must carry that name.
 */

import { headAfter, sampleAppend, sampleBlob, sampleMessage } from "@turnseal/ports/contracts";
import { EMPTY_HEAD } from "@turnseal/protocol";
import type { PostgresPool } from "./postgres-pool.ts";
import type { TenantStores } from "./postgres-stores.ts";

const run = "2f1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d";
const late = "2127-01-01T00:00:00.000Z";

export interface Interleaving {
  readonly tenants: number;
  readonly turns: number;
}

/** Returns the number of checked reads; throws at the first row of another tenant. */
export async function interleave(
  pool: Pick<PostgresPool, "forTenant">,
  { tenants, turns }: Interleaving,
): Promise<number> {
  const names = Array.from({ length: tenants }, (_, at) => `tenant-${at}`);
  const counts = await Promise.all(
    names.map((tenant) => workAs(tenant, pool.forTenant(tenant), turns)),
  );
  return counts.reduce((sum, count) => sum + count, 0);
}

async function workAs(tenant: string, stores: TenantStores, turns: number): Promise<number> {
  let reads = 0;
  const expectSame = (what: string, found: unknown, own: unknown): void => {
    reads++;
    if (JSON.stringify(found) === JSON.stringify(own)) return;
    throw new Error(`${tenant} read ${what} ${JSON.stringify(found)} for ${JSON.stringify(own)}`);
  };
  const { epoch } = await stores.log.takeEpoch(run);
  let after = EMPTY_HEAD;
  for (let turn = 1; turn <= turns; turn++) {
    const state = { tenant, turn };
    const snapshot = { run, sequence: turn, state, dueAt: "2026-01-01T00:00:00.000Z" };
    const blob = sampleBlob(`${tenant} ${turn}`);
    const append = sampleAppend({ run, epoch, after }, { blobs: [blob], snapshot });
    const { kind } = await stores.log.append(append);
    // Its answer may be lost with the connection.
    if (kind !== "duplicate") expectSame("an answer", kind, "appended");
    after = headAfter(append);
    await stores.inbox.put(sampleMessage(`${tenant} ${turn}`));
    expectSame("a head", (await stores.log.readHead(run))?.hash, after.hash);
    expectSame("a snapshot", (await stores.runs.read(run))?.state, state);
    const runs = await stores.runs.list();
    expectSame(
      "runs",
      runs.map((one) => one.run),
      [run],
    );
    const due = await stores.lists.listDue(late);
    expectSame("due runs", [...new Set(due.map((one) => one.run))], [run]);
    const messages = (await stores.inbox.peek(run)).map(({ key }) => key);
    expectSame(
      "messages",
      messages,
      Array.from({ length: turn }, (_, at) => `${tenant} ${at + 1}`),
    );
    const bytes = await stores.blobs.read(run, blob.digest);
    expectSame("content", Buffer.from(bytes ?? []).toString(), `${tenant} ${turn}`);
  }
  return reads;
}
