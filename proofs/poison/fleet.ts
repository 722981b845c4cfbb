/**
 * A real engine, a database that syncs every commit, and workers in processes of their own, which
 * are started again when they end, as a supervisor would.
 */
import { type ChildProcess, fork } from "node:child_process";
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { migratePostgres, openPostgresStores } from "@turnseal/adapters/postgres";
import { createLocalHost, type LocalHost } from "@turnseal/host";
import { createIngress } from "@turnseal/host/restate";
import type { Stores } from "@turnseal/ports";
import {
  createEngineAdmin,
  createPost,
  findEnginePorts,
  findFreePort,
  startEngine,
} from "@turnseal/runtime/engine";
import { createSigner } from "../../bench/sample-turn.ts";
import { untilReady } from "../kit/processes.ts";
import { ask, startPostgres } from "../kit/start-postgres.ts";
import { poisonLoops } from "./poison-loops.ts";

export interface WorkerSettings {
  readonly postgres: string;
  readonly tenants: readonly string[];
  readonly identityKeys: readonly string[];
  readonly port: number;
  readonly slots: number;
}

export interface Fleet {
  readonly folder: string;
  readonly databaseUrl: string;
  readonly ingress: string;
  tenant(name: string): { readonly host: LocalHost; readonly stores: Stores };
  /** The workers' output, line by line. */
  readonly said: readonly Record<string, unknown>[];
  /** How many workers have ended by themselves. */
  lost(): number;
  /** How many are there now. */
  alive(): number;
  close(): Promise<void>;
}

const DATABASE = "turnseal_poison";
/** How long a supervisor waits before it starts a worker again. */
const RESTART_MS = 1_000;
const SLOTS = 8;

export async function openFleet(tenants: readonly string[], workers: number): Promise<Fleet> {
  const folder = mkdtempSync(join(tmpdir(), "turnseal-poison-"));
  // The database runs as another user, below this folder.
  chmodSync(folder, 0o755);
  const server = await startPostgres(join(folder, "database"));
  await ask(server.urlOf("postgres"), `create database ${DATABASE}`);
  const databaseUrl = server.urlOf(DATABASE);
  await migratePostgres({ url: databaseUrl });
  const engine = await startEngine({
    ...{ folder: join(folder, "engine"), ports: await findEnginePorts(), endsWithTerminal: true },
  });
  const crew = await startCrew(workers, {
    ...{ postgres: databaseUrl, tenants, slots: SLOTS, port: await findFreePort() },
    identityKeys: [engine.identityKey],
  });
  await createEngineAdmin(engine.admin).register(`http://127.0.0.1:${crew.port}`);
  const opened = new Map(
    await Promise.all(
      tenants.map(async (tenant) => {
        const stores = await openPostgresStores({ url: databaseUrl, tenant });
        const post = createPost(60_000);
        const { put } = createIngress({ ingress: engine.ingress, tenant, post });
        const host = createLocalHost({ loops: poisonLoops, stores, signer: createSigner(), put });
        return [tenant, { host, stores }] as const;
      }),
    ),
  );
  return {
    ...{ folder, databaseUrl, ingress: engine.ingress, said: crew.said },
    tenant: (name) => {
      const found = opened.get(name);
      if (found === undefined) throw new Error(`there is no tenant ${name}`);
      return found;
    },
    lost: crew.lost,
    alive: crew.alive,
    close: async () => {
      crew.close();
      for (const { stores } of opened.values()) await stores.close();
      await engine.kill();
      await server.kill();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Workers on one port, with a supervisor that restarts them. */
async function startCrew(workers: number, settings: WorkerSettings) {
  const said: Record<string, unknown>[] = [];
  const living = new Set<ChildProcess>();
  const state = { isClosed: false, lost: 0 };
  const start = async (): Promise<void> => {
    const child = startOne(settings, said);
    await untilReady(child);
    living.add(child);
    child.once("exit", () => {
      living.delete(child);
      if (state.isClosed) return;
      state.lost += 1;
      void sleep(RESTART_MS).then(() => (state.isClosed ? undefined : start()));
    });
  };
  await Promise.all(Array.from({ length: workers }, start));
  return {
    ...{ said, port: settings.port, lost: () => state.lost, alive: () => living.size },
    close: () => {
      state.isClosed = true;
      for (const child of living) child.kill("SIGKILL");
    },
  };
}

function startOne(settings: WorkerSettings, said: Record<string, unknown>[]): ChildProcess {
  const program = fileURLToPath(new URL("worker.ts", import.meta.url));
  const child = fork(program, [JSON.stringify(settings)], {
    // Workers run the build, as in production: a restart should not slow down the others.
    execArgv: [],
    stdio: ["ignore", "pipe", "inherit", "ipc"],
  });
  let rest = "";
  child.stdout?.on("data", (chunk) => {
    const lines = `${rest}${chunk}`.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) said.push(JSON.parse(line) as Record<string, unknown>);
  });
  return child;
}
