/**
 * Makes many runs that have really ended. A host in memory drives each, with a model round, a tool
 * and a receipt of its own. Then each is stored as a worker stores it, in one append.
 */
import type { PostgresPool } from "@turnseal/adapters/postgres";
import { collectRun } from "@turnseal/host";
import { type Blob, memoryStores, type Signer, systemClock } from "@turnseal/ports";
import { createSampleHost, startSampleRun } from "../../bench/sample-turn.ts";

const json = { mediaType: "application/json" };
/** Runs of one host, whose memory they take. */
const RUNS_PER_HOST = 200;
const AT_ONCE = 8;

export interface MadeRun {
  readonly tenant: string;
  readonly run: string;
}

export interface ToMake {
  readonly pool: PostgresPool;
  readonly signer: Signer;
  readonly tenants: readonly string[];
  readonly count: number;
  /** Takes each run that is stored. */
  onMade(made: MadeRun): void;
}

export async function makeRuns(toMake: ToMake): Promise<void> {
  const { pool, signer, tenants, count, onMade } = toMake;
  for (let made = 0; made < count; made += RUNS_PER_HOST) {
    const stores = memoryStores(systemClock);
    const host = createSampleHost(stores, signer);
    const numbers = Array.from({ length: Math.min(RUNS_PER_HOST, count - made) }, (_, at) => at);
    const next = numbers.values();
    const makeSome = async (): Promise<void> => {
      for (const at of next) {
        const run = await startSampleRun(host, 1);
        const { dues } = await host.advance(run, { sliceMs: Number.POSITIVE_INFINITY });
        if (dues.kind !== "done") throw new Error(`the run is ${dues.kind}`);
        const tenant = tenants[(made + at) % tenants.length] ?? "default";
        await storeRun(pool.forTenant(tenant), stores, run);
        onMade({ tenant, run });
      }
    };
    await Promise.all(Array.from({ length: AT_ONCE }, makeSome));
  }
}

/** Copies a run from memory into the database, as one append. */
async function storeRun(
  to: ReturnType<PostgresPool["forTenant"]>,
  from: ReturnType<typeof memoryStores>,
  run: string,
): Promise<void> {
  const { events } = await collectRun(from, run);
  const [receipt] = await from.receipts.list(run, 1);
  const snapshot = await from.runs.read(run);
  const key = await from.blobs.readKey(run);
  const digests = new Set(JSON.stringify(events).match(/hmac-sha256:[0-9a-f]{64}/g));
  const blobs: Blob[] = [];
  for (const digest of digests) {
    const bytes = await from.blobs.read(run, digest);
    if (bytes !== undefined)
      blobs.push({ ...json, digest: digest as Blob["digest"], bytes, size: bytes.length });
  }
  if (key === undefined || receipt === undefined || snapshot?.endedAt === undefined)
    throw new Error("the run has not ended");
  const { epoch } = await to.log.takeEpoch(run);
  await to.blobs.keepKey(run, key);
  const after = { sequence: 0, hash: "" };
  const answer = await to.log.append({
    ...{ run, epoch, after, events, blobs, receipt, snapshot, consumed: [] },
  });
  if (answer.kind !== "appended") throw new Error(`the run was not stored: ${answer.kind}`);
}
