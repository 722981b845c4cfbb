/**
 * Everything that a durable run needs, for real: an engine, a database of its own, workers that
 * serve the engine, and the effects counted outside of both.
 */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import {
  migratePostgres,
  openPostgresStores,
  type PostgresStores,
} from "@turnseal/adapters/postgres";
import { createLocalHost, type HostOptions, type LocalHost, type Release } from "@turnseal/host";
import { createIngress, type Ingress, type RunTiming } from "@turnseal/host/restate";
import { deployWorker, startWorker } from "@turnseal/operate/worker";
import { createMemorySigner, type MemorySigner } from "@turnseal/ports";
import {
  createEngineAdmin,
  type Engine,
  type EngineAdmin,
  findEnginePorts,
  postJson,
  startEngine,
} from "@turnseal/runtime/engine";
import pg from "pg";

export const TENANT = "e2e";

const serverUrl =
  process.env["TURNSEAL_TEST_POSTGRES_URL"] ?? "postgres://postgres@127.0.0.1:5432/test";

export interface DurableWorld {
  readonly engine: () => Engine;
  readonly admin: () => EngineAdmin;
  readonly signer: MemorySigner;
  readonly databaseUrl: string;
  /** The host as a client has it: reads from the database, tells through the engine. */
  readonly host: LocalHost;
  readonly ingress: Ingress;
  readonly stores: PostgresStores;
  startWorker(options?: WorkerOptions): Promise<Worker>;
  /** Kills the engine and starts it again over the same data, also with another identity. */
  restartEngine(identity?: string): Promise<void>;
  /** Waits until something can be said of a run. */
  until<Seen>(look: () => Promise<Seen | undefined>, timeoutMs?: number): Promise<Seen>;
  stoppedOf(run: string): Promise<string>;
  close(): Promise<void>;
}

export interface WorkerOptions extends RunTiming {
  readonly host?: Partial<HostOptions>;
  /** False for a worker that is only started: nothing is told of it. */
  readonly isDeployed?: boolean;
  readonly port?: number;
  /** True for workers that listen on the same port. */
  readonly sharesPort?: boolean;
  readonly slots?: number;
  /** True for a worker that serves all tenants of the database, by their limits. */
  readonly servesAll?: boolean;
  readonly identityKeys?: readonly string[];
  /** Where each tenant has what is its own. */
  readonly tenantFiles?: NonNullable<Parameters<typeof startWorker>[0]["tenantFiles"]>;
}

export interface Worker {
  readonly uri: string;
  /** Where `/ready` and `/metrics` are. */
  readonly door: string;
  readonly release: string;
  readonly described: Release;
  whyUnready(): Promise<string | undefined>;
  /** Stops answering at once, as a machine that is gone. */
  cut(): Promise<void>;
}

export interface WorldOptions {
  readonly loops: HostOptions["loops"];
  readonly models?: NonNullable<HostOptions["models"]>;
}

export async function openDurableWorld({
  loops,
  models = {},
}: WorldOptions): Promise<DurableWorld> {
  const folder = mkdtempSync(join(tmpdir(), "turnseal-e2e-"));
  const databaseUrl = await createDatabase();
  await migratePostgres({ url: databaseUrl });
  const signer = await createMemorySigner();
  const ports = await findEnginePorts();
  let engine = await startEngine({ folder, ports });
  const stores = await openStores(databaseUrl);
  const workers: Worker[] = [];
  const ingress = createIngress({ ingress: engine.ingress, tenant: TENANT, post: postJson });
  const host = createLocalHost({ loops, stores, signer, models, put: ingress.put });
  const until: DurableWorld["until"] = async (look, timeoutMs = 60_000) => {
    const endMs = Date.now() + timeoutMs;
    for (;;) {
      const seen = await look();
      if (seen !== undefined) return seen;
      if (Date.now() > endMs) throw new Error("it did not happen in time");
      await sleep(25);
    }
  };
  return {
    engine: () => engine,
    admin: () => createEngineAdmin(engine.admin),
    signer,
    databaseUrl,
    host,
    ingress,
    stores,
    until,
    stoppedOf: (run) => until(async () => (await host.show(run))?.stopped ?? undefined),
    startWorker: async ({ host: changed = {}, isDeployed = true, ...more } = {}) => {
      const { identityKeys = [engine.identityKey], servesAll = false, ...timing } = more;
      const started = await startWorker({
        ...{ ...timing, postgres: databaseUrl, admin: engine.admin },
        ...(servesAll ? {} : { tenants: [TENANT] }),
        host: { loops, signer, models, ...changed },
        identityKeys,
      });
      const { uri, release, whyUnready } = started;
      const worker: Worker = {
        ...{ uri, release: release.name, described: release, whyUnready },
        door: `http://127.0.0.1:${started.doorPort}`,
        cut: async () => void (await started.drain(0)),
      };
      workers.push(worker);
      if (isDeployed) await deployWorker(started, { admin: engine.admin, postgres: databaseUrl });
      if (isDeployed) expectReady(await started.whyUnready());
      return worker;
    },
    restartEngine: async (identity) => {
      await engine.kill();
      if (identity !== undefined) writeFileSync(join(folder, "identity.pem"), identity);
      engine = await startEngine({ folder, ports });
    },
    close: async () => {
      for (const worker of workers) await worker.cut();
      await engine.kill();
      await stores.close();
      await dropDatabase(databaseUrl);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function expectReady(why: string | undefined): void {
  if (why !== undefined) throw new Error(`the worker is not ready: ${why}`);
}

function openStores(url: string): Promise<PostgresStores> {
  return openPostgresStores({ url, tenant: TENANT });
}

export async function createDatabase(): Promise<string> {
  const name = `turnseal_e2e_${process.pid}_${Date.now().toString(36)}`;
  await runOnServer(`create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

export async function dropDatabase(url: string): Promise<void> {
  await runOnServer(`drop database if exists ${new URL(url).pathname.slice(1)} with (force)`);
}

async function runOnServer(sql: string): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl });
  await client.connect();
  try {
    await client.query(sql);
  } finally {
    await client.end();
  }
}
