/**
 * A real engine, a database that syncs every commit to disk, and workers in processes of their own,
 * for what is measured on the durable host.
 */
import type { ChildProcess } from "node:child_process";
import { chmodSync, mkdtempSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  migratePostgres,
  openPostgresStores,
  type PostgresStores,
} from "@turnseal/adapters/postgres";
import { createIngress, type Ingress } from "@turnseal/host/restate";
import {
  createEngineAdmin,
  createPost,
  type Engine,
  type EngineAdmin,
  findEnginePorts,
  findFreePort,
  startEngine,
} from "@turnseal/runtime/engine";
import { startProcess, untilReady } from "../proofs/kit/processes.ts";
import { ask, type PostgresServer, startPostgres } from "../proofs/kit/start-postgres.ts";
export const TENANT = "bench";
const DATABASE = "turnseal_bench";

export interface EngineWorld {
  readonly databaseUrl: string;
  readonly stores: PostgresStores;
  readonly ingress: Ingress;
  engine(): Engine;
  admin(): EngineAdmin;
  /** Tells the engine of the floor that workers serve beside runs. */
  serveFloor(): Promise<void>;
  workers(): readonly ChildProcess[];
  /** Ends every process at once and starts them again over the same data. */
  restart(): Promise<void>;
  /** The same with the engine alone. */
  restartEngine(): Promise<void>;
  /** The same with the first worker alone; the others go on. */
  restartWorker(): Promise<void>;
  close(): Promise<void>;
}

export interface EngineWorldOptions {
  /** The program of a worker; it gets its settings as JSON and prints `ready`. */
  readonly program: URL;
  readonly workers: number;
  /** The settings of a worker, besides its addresses. */
  readonly settings: object;
  readonly invoker?: readonly string[];
  /** How many connections the database allows, where that is measured. */
  readonly serverConnections?: number;
}

/** The addresses for every worker. */
export interface WorkerPlace {
  readonly databaseUrl: string;
  readonly tenant: string;
  readonly identityKeys: readonly string[];
  readonly port: number;
  readonly floorPort: number;
}

export async function openEngineWorld(options: EngineWorldOptions): Promise<EngineWorld> {
  const folder = mkdtempSync(join(tmpdir(), "turnseal-bench-"));
  // The database runs as another user, below this folder.
  chmodSync(folder, 0o755);
  const server = await startPostgres(join(folder, "database"));
  if (options.serverConnections !== undefined) {
    const allow = `alter system set max_connections = ${options.serverConnections}`;
    await ask(server.urlOf("postgres"), allow);
    await server.kill();
    await server.start();
  }
  await ask(server.urlOf("postgres"), `create database ${DATABASE}`);
  const databaseUrl = server.urlOf(DATABASE);
  await migratePostgres({ url: databaseUrl });
  const ports = await findEnginePorts();
  const { invoker = [] } = options;
  const node = { folder: join(folder, "engine"), ports, invoker, endsWithTerminal: true };
  let engine = await startEngine(node);
  const place: WorkerPlace = {
    ...{ databaseUrl, tenant: TENANT, identityKeys: [engine.identityKey] },
    ...{ port: await findFreePort(), floorPort: await findFreePort() },
  };
  const settings = { ...options.settings, ...place };
  let workers = await startWorkers(options, settings);
  const admin = (): EngineAdmin => createEngineAdmin(engine.admin);
  await admin().register(`http://127.0.0.1:${place.port}`);
  const stores = await openPostgresStores({ url: databaseUrl, tenant: TENANT });
  return {
    databaseUrl,
    stores,
    ingress: createIngress({ ingress: engine.ingress, tenant: TENANT, post: createPost(60_000) }),
    engine: () => engine,
    admin,
    serveFloor: () => admin().register(`http://127.0.0.1:${place.floorPort}`),
    workers: () => workers,
    restart: async () => {
      await killAll(workers, engine, server);
      await server.start();
      engine = await startEngine(node);
      workers = await startWorkers(options, settings);
    },
    restartEngine: async () => {
      await engine.kill();
      engine = await startEngine(node);
    },
    restartWorker: async () => {
      const [first, ...others] = workers;
      first?.kill("SIGKILL");
      workers = [...others, ...(await startWorkers({ ...options, workers: 1 }, settings))];
    },
    close: async () => {
      await stores.close();
      await killAll(workers, engine, server);
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function killAll(
  workers: readonly ChildProcess[],
  engine: Engine,
  server: PostgresServer,
): Promise<void> {
  for (const worker of workers) worker.kill("SIGKILL");
  await engine.kill();
  await server.kill();
}

function startWorkers(
  { program, workers }: EngineWorldOptions,
  settings: object,
): Promise<ChildProcess[]> {
  const startOne = async (): Promise<ChildProcess> => {
    const child = startProcess(program, [JSON.stringify(settings)]);
    await untilReady(child);
    return child;
  };
  return Promise.all(Array.from({ length: workers }, startOne));
}

/** A turn of a run, or a step of the floor. */
export interface StepDone {
  readonly key: string;
  readonly atMs: number;
}

export interface Collected {
  readonly done: readonly StepDone[];
  readonly commits: number;
}

/** Collects the workers' results since the last call. */
export async function collect(world: EngineWorld): Promise<Collected> {
  const answers = await Promise.all(world.workers().map(askWorker));
  return {
    done: answers.flatMap(({ done }) => done),
    commits: answers.reduce((sum, { commits }) => sum + commits, 0),
  };
}

function askWorker(worker: ChildProcess): Promise<Collected> {
  return new Promise((resolve) => {
    worker.once("message", (answer) => resolve(answer as Collected));
    worker.send("collect");
  });
}

/** The resident memory of a process, in bytes. */
export function readMemory({ pid }: { readonly pid?: number | undefined }): number {
  const status = readFileSync(`/proc/${pid}/status`, "utf8");
  return Number(/VmRSS:\s+(\d+) kB/.exec(status)?.[1]) * 1024;
}
