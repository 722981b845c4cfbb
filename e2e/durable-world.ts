/**
 * Everything that a durable run needs, for real: an engine, a database of its own, workers that
 * serve the engine, and the effects counted outside of both.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { createServer, type Http2Server } from "node:http2";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createEndpointHandler } from "@restatedev/restate-sdk";
import {
  migratePostgres,
  openPostgresStores,
  type PostgresStores,
} from "@turnseal/adapters/postgres";
import { bindHost, createLocalHost, type HostOptions, type LocalHost } from "@turnseal/host";
import {
  createIngress,
  createRunObject,
  type Ingress,
  type RunTiming,
} from "@turnseal/host/restate";
import { createMemorySigner, type MemorySigner } from "@turnseal/ports";
import pg from "pg";
import { postJson } from "../tools/engine/post-json.ts";
import { type Engine, freePort, startRestate } from "../tools/engine/start-restate.ts";

export const TENANT = "e2e";

const serverUrl =
  process.env["TURNSEAL_TEST_POSTGRES_URL"] ?? "postgres://postgres@127.0.0.1:5432/test";

export interface DurableWorld {
  readonly engine: () => Engine;
  readonly signer: MemorySigner;
  readonly databaseUrl: string;
  /** The host as a client has it: reads from the database, tells through the engine. */
  readonly host: LocalHost;
  readonly ingress: Ingress;
  readonly stores: PostgresStores;
  startWorker(options?: WorkerOptions): Promise<Worker>;
  /** Kills the engine and starts it again over the same data. */
  restartEngine(): Promise<void>;
  /** Waits until something can be said of a run. */
  until<Seen>(look: () => Promise<Seen | undefined>, timeoutMs?: number): Promise<Seen>;
  stoppedOf(run: string): Promise<string>;
  close(): Promise<void>;
}

export interface WorkerOptions extends RunTiming {
  readonly host?: Partial<HostOptions>;
}

export interface Worker {
  readonly uri: string;
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
  let engine = await startRestate({ folder });
  const ports = {
    node: await freePort(),
    ingress: Number(new URL(engine.ingress).port),
    admin: Number(new URL(engine.admin).port),
  };
  const stores = await openStores(databaseUrl);
  const opened: { close(): Promise<void> }[] = [stores];
  const servers: Http2Server[] = [];
  const ingress = createIngress({ ingress: engine.ingress, tenant: TENANT, post: postJson() });
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
    signer,
    databaseUrl,
    host,
    ingress,
    stores,
    until,
    stoppedOf: (run) => until(async () => (await host.show(run))?.stopped ?? undefined),
    startWorker: async ({ host: changed = {}, ...timing } = {}) => {
      const own = await openStores(databaseUrl);
      opened.push(own);
      const bound = bindHost({ loops, stores: own, signer, models, ...changed });
      const portsOf = (tenant: string) => (tenant === TENANT ? bound : undefined);
      const server = createServer(
        createEndpointHandler({ services: [createRunObject({ portsOf, ...timing })] }),
      );
      servers.push(server);
      const worker = await listen(server);
      await engine.register(worker.uri);
      return worker;
    },
    restartEngine: async () => {
      await engine.stop("SIGKILL");
      engine = await startRestate({ folder, ports });
    },
    close: async () => {
      for (const server of servers) server.close();
      await engine.stop("SIGKILL");
      for (const each of opened) await each.close();
      await dropDatabase(databaseUrl);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

function openStores(url: string): Promise<PostgresStores> {
  return openPostgresStores({ url, tenant: TENANT });
}

async function listen(server: Http2Server): Promise<Worker> {
  const sessions = new Set<{ destroy(): void }>();
  server.on("session", (session) => {
    sessions.add(session);
    session.on("close", () => sessions.delete(session));
  });
  const port = await freePort();
  await new Promise<void>((resume) => server.listen(port, "127.0.0.1", resume));
  return {
    uri: `http://127.0.0.1:${port}`,
    cut: async () => {
      server.close();
      for (const session of sessions) session.destroy();
    },
  };
}

async function createDatabase(): Promise<string> {
  const name = `turnseal_e2e_${process.pid}_${Date.now().toString(36)}`;
  await runOnServer(`create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

async function dropDatabase(url: string): Promise<void> {
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
