/** Workers with few slots for several tenants, and what is seen of them from outside. */
import { setTimeout as sleep } from "node:timers/promises";
import { openPostgresPool } from "@turnseal/adapters/postgres";
import { createLocalHost, type LocalHost } from "@turnseal/host";
import { createIngress } from "@turnseal/host/restate";
import type { Stores } from "@turnseal/ports";
import { createPost } from "@turnseal/runtime/engine";
import { startProcess } from "../proofs/kit/processes.ts";
import { ask } from "../proofs/kit/start-postgres.ts";
import { type EngineWorld, openEngineWorld, readMemory, type StepDone } from "./engine-world.ts";
import { fleetLoops } from "./fleet-loops.ts";
import { createSigner } from "./sample-turn.ts";

export interface FleetWorld {
  readonly databaseUrl: string;
  hostOf(tenant: string): LocalHost;
  storesOf(tenant: string): Stores;
  /** Starts runs at once, in a process of its own: who floods is on another machine. */
  startElsewhere(flood: Pick<FleetFlood, "tenant" | "runs" | "ms">): Promise<readonly string[]>;
  /** Waits until a run is done; answers with when. */
  whenDone(run: string): Promise<number>;
  /** What the workers failed with, by code, since the beginning. */
  readonly errors: ReadonlyMap<string, number>;
  /** The most that was seen of each, since the beginning. */
  readonly most: { readonly memory: number; readonly connections: number };
  close(): Promise<void>;
}

export interface FleetOptions {
  readonly tenants: readonly string[];
  readonly workers: number;
  readonly slots: number;
  /** Connections of each worker, and of the starter of runs. */
  readonly connections?: number;
  /** How many the database allows in all. */
  readonly serverConnections?: number;
  /** True where the workers are not told the tenants: they are in the database, or will be. */
  readonly areListed?: boolean;
}

/** What is started at once. */
export interface FleetFlood {
  readonly databaseUrl: string;
  readonly ingress: string;
  readonly tenant: string;
  readonly runs: number;
  /** How long each takes. */
  readonly ms: number;
}

/** What a worker says of itself, now and then. */
export interface FleetNews {
  readonly done: readonly StepDone[];
  readonly errors: readonly string[];
}

/** How long a run may take before it is called lost. */
const RUN_MS_MAX = 15 * 60_000;
const LOOK_EVERY_MS = 500;

export async function openFleetWorld({
  tenants,
  workers,
  slots,
  connections,
  areListed = false,
  ...rest
}: FleetOptions): Promise<FleetWorld> {
  const bound = connections === undefined ? {} : { connectionsMax: connections };
  const world = await openEngineWorld({
    program: new URL("fleet-worker.ts", import.meta.url),
    workers,
    settings: { slots, ...bound, ...(areListed ? {} : { tenants }) },
    ...rest,
  });
  const pool = await openPostgresPool({ url: world.databaseUrl, ...bound });
  const post = createPost(RUN_MS_MAX);
  const signer = createSigner();
  const hosts = new Map(
    tenants.map((tenant): [string, LocalHost] => {
      const { put } = createIngress({ ingress: world.engine().ingress, tenant, post });
      const stores = pool.forTenant(tenant);
      return [tenant, createLocalHost({ ...fleetLoops, stores, signer, put })];
    }),
  );
  const news = hearNews(world);
  const most = watchMost(world);
  return {
    databaseUrl: world.databaseUrl,
    storesOf: (tenant) => pool.forTenant(tenant),
    hostOf: (tenant) => {
      const host = hosts.get(tenant);
      if (host === undefined) throw new Error(`there is no tenant ${tenant}`);
      return host;
    },
    startElsewhere: (flood) =>
      sendFlood({
        ...{ ...flood, databaseUrl: world.databaseUrl, ingress: world.engine().ingress },
      }),
    whenDone: news.whenDone,
    errors: news.errors,
    most: most.seen,
    close: async () => {
      await most.stop();
      await pool.close();
      await world.close();
    },
  };
}

function sendFlood(flood: FleetFlood): Promise<readonly string[]> {
  const child = startProcess(new URL("fleet-sender.ts", import.meta.url), [JSON.stringify(flood)]);
  return new Promise((resume, fail) => {
    child.once("message", (runs) => resume(runs as readonly string[]));
    child.once("exit", (code) => fail(new Error(`the sender has ended: ${code}`)));
  });
}

function hearNews(world: EngineWorld): Pick<FleetWorld, "whenDone" | "errors"> {
  const done = new Map<string, number>();
  const errors = new Map<string, number>();
  const waiting = new Map<string, (atMs: number) => void>();
  const hear = (news: FleetNews): void => {
    for (const { key, atMs } of news.done) {
      done.set(key, atMs);
      waiting.get(key)?.(atMs);
    }
    for (const error of news.errors) errors.set(error, (errors.get(error) ?? 0) + 1);
  };
  for (const worker of world.workers()) worker.on("message", hear);
  const whenDone = async (run: string): Promise<number> => {
    const known = done.get(run);
    if (known !== undefined) return known;
    return new Promise((resume, fail) => {
      const late = new Error(`run ${run} was not done in time`);
      const timer = setTimeout(() => fail(late), RUN_MS_MAX);
      waiting.set(run, (atMs) => {
        clearTimeout(timer);
        waiting.delete(run);
        resume(atMs);
      });
    });
  };
  return { errors, whenDone };
}

/** Looks at the workers and the database every now and then. */
function watchMost(world: EngineWorld) {
  const seen = { memory: 0, connections: 0 };
  const stopped = new AbortController();
  const look = async (): Promise<void> => {
    while (!stopped.signal.aborted) {
      seen.memory = Math.max(seen.memory, ...world.workers().map(readMemory));
      seen.connections = Math.max(seen.connections, await countConnections(world));
      await sleep(LOOK_EVERY_MS);
    }
  };
  const looking = look();
  return {
    seen,
    stop: async (): Promise<void> => {
      stopped.abort();
      await looking;
    },
  };
}

async function countConnections({ databaseUrl }: EngineWorld): Promise<number> {
  const [row] = await ask(
    databaseUrl,
    "select count(*)::int as count from pg_stat_activity where datname = current_database()",
  );
  return Number(row?.["count"]);
}

/** The value below which so much of them is. */
export function percentile(values: readonly number[], part: number): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
