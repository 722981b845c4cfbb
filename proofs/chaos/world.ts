/**
 * Everything that durable runs need, for real and of its own: a database with a synchronous
 * standby, an engine of one node or three, three workers, and the place where payments happen.
 */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  migratePostgres,
  openPostgresStores,
  type PostgresStores,
} from "@turnseal/adapters/postgres";
import { createLocalHost, type LocalHost } from "@turnseal/host";
import { createIngress, EngineError, type Ingress } from "@turnseal/host/restate";
import { createIdentity, createPost, findFreePort, identityKeyOf } from "@turnseal/runtime/engine";
import pg from "pg";
import { crashSigner } from "../kit/crash-key.ts";
import { type PostgresServer, startPostgres } from "../kit/start-postgres.ts";
import { type DatabaseGate, openGate } from "./database-gate.ts";
import { type Nodes, startNodes } from "./engine-nodes.ts";
import { type Outside, openOutside } from "./outside.ts";
import { createTurnLoops, instantModel } from "./payment-turns.ts";
import { startWorker, type WorkerProcess, type WorkerSettings } from "./start-worker.ts";

export const TENANT = "chaos";
export const WORKERS = 3;
const DATABASE = "turnseal_chaos";
const ENDS = ["SIGINT", "SIGTERM"] as const;

export interface ChaosWorld {
  readonly outside: Outside;
  readonly primary: PostgresServer;
  readonly standby: PostgresServer;
  /** The workers' way to the database. */
  readonly gate: DatabaseGate;
  readonly nodes: Nodes;
  readonly workers: WorkerProcess[];
  /** The host as a client has it: reads from the database, tells through the engine. */
  readonly host: LocalHost;
  readonly ingress: Ingress;
  readonly stores: PostgresStores;
  /** Asks the database anything; it may be away. */
  readonly pool: pg.Pool;
  startWorker(changed?: Partial<WorkerSettings>): Promise<WorkerProcess>;
  /** Leads everybody to another server. */
  leadTo(server: PostgresServer): void;
  close(): Promise<void>;
}

export interface WorldOptions {
  /** Nodes of the engine. */
  readonly nodes: 1 | 3;
}

export async function openWorld(options: WorldOptions): Promise<ChaosWorld> {
  const folder = mkdtempSync(join(tmpdir(), "turnseal-chaos-"));
  // The database runs as another user, below this folder.
  chmodSync(folder, 0o755);
  const outside = await openOutside();
  const primary = await startPostgres(join(folder, "first"));
  await migrate(primary);
  const standby = await primary.addStandby(join(folder, "second"));
  const gates = [await openGate(primary.port), await openGate(primary.port)] as const;
  const [gate, ownGate] = gates;
  const identity = createIdentity();
  const nodes = await startNodes(join(folder, "engine"), options.nodes, identity);
  const stores = await openPostgresStores({ url: urlThrough(ownGate), tenant: TENANT });
  const pool = new pg.Pool({ connectionString: urlThrough(ownGate), max: 4 });
  pool.on("error", () => {});
  const ingress = anyIngress(nodes);
  const settings: WorkerSettings = {
    databaseUrl: urlThrough(gate),
    tenant: TENANT,
    outsideUrl: outside.url,
    build: "1",
    identityKeys: [identityKeyOf(identity)],
    port: await findFreePort(),
    connectionsMax: 10,
    hasStandby: true,
    sliceMs: 0,
    actionMaxMs: 20_000,
  };
  const workers: WorkerProcess[] = [];
  const startOne: ChaosWorld["startWorker"] = async (changed = {}) => {
    const worker = await startWorker({ ...settings, ...changed });
    workers.push(worker);
    return worker;
  };
  const close = async (): Promise<void> => {
    for (const signal of ENDS) process.off(signal, closeAndEnd);
    await Promise.all(workers.map((worker) => worker.kill()));
    await nodes.stop();
    await Promise.all([stores.close(), pool.end()]);
    for (const each of gates) each.close();
    for (const server of [standby, primary]) await stopQuietly(server);
    outside.close();
    rmSync(folder, { recursive: true, force: true });
  };
  // Servers outlive their parent.
  const closeAndEnd = (): void => {
    void close().finally(() => process.exit(1));
  };
  for (const signal of ENDS) process.once(signal, closeAndEnd);
  await Promise.all(Array.from({ length: WORKERS }, () => startOne()));
  await nodes.register(`http://127.0.0.1:${settings.port}`);
  return {
    outside,
    primary,
    standby,
    gate,
    nodes,
    workers,
    ingress,
    stores,
    pool,
    host: createClient(stores, ingress),
    startWorker: startOne,
    leadTo: ({ port }) => {
      for (const each of gates) each.leadTo(port);
    },
    close,
  };
}

function urlThrough({ port }: DatabaseGate): string {
  return `postgres://postgres@127.0.0.1:${port}/${DATABASE}`;
}

/** A host that starts runs and passes on what people say. It never advances one. */
function createClient(stores: PostgresStores, { put }: Ingress): LocalHost {
  return createLocalHost({
    loops: createTurnLoops({ post: async () => ({}), build: "1" }),
    stores,
    signer: crashSigner,
    models: { instant: instantModel },
    put,
  });
}

async function migrate(primary: PostgresServer): Promise<void> {
  const client = new pg.Client({ connectionString: primary.urlOf("postgres") });
  await client.connect();
  await client.query(`create database ${DATABASE}`);
  await client.end();
  await migratePostgres({ url: primary.urlOf(DATABASE) });
}

/** Sends to any node that answers: the same message twice is one. */
function anyIngress(nodes: Nodes): Ingress {
  const through = async <Answer>(tell: (ingress: Ingress) => Promise<Answer>): Promise<Answer> => {
    const message = "no node of the engine is up";
    let failure: unknown = new EngineError({ code: "ENGINE_UNREACHABLE", retry: "retry", message });
    for (const url of nodes.ingresses()) {
      try {
        return await tell(createIngress({ ingress: url, tenant: TENANT, post: createPost(5_000) }));
      } catch (error) {
        failure = error;
      }
    }
    throw failure;
  };
  return {
    put: (message) => through((ingress) => ingress.put(message)),
    look: (run) => through((ingress) => ingress.look(run)),
    lookAll: (looks) => through((ingress) => ingress.lookAll(looks)),
  };
}

async function stopQuietly(server: PostgresServer): Promise<void> {
  // It may have been killed before.
  await server.kill().catch(() => {});
}
