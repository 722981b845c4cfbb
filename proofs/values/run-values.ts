/** Many writers in one value of each store, and what holds it killed in the middle. */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { folderValues } from "@turnseal/adapters/fs";
import {
  createPostgresDatabase,
  migratePostgres,
  openPostgresPool,
} from "@turnseal/adapters/postgres";
import { openRedis } from "@turnseal/adapters/redis";
import { sqliteStores } from "@turnseal/adapters/sqlite";
import { InMemoryVSL, type ValueStateLayer } from "@turnseal/ports";
import { startProcess } from "../kit/processes.ts";
import { startPostgres } from "../kit/start-postgres.ts";
import { startRedis } from "./start-redis.ts";
import { COUNTS, type Told, writeCounts } from "./write-counts.ts";

export interface ValuesRequest {
  readonly writers: number;
  /** Changes that each writer makes. */
  readonly adds: number;
  readonly say: (words: string) => void;
}

export interface StoreFigures {
  readonly store: string;
  /** How often what holds the values, or a process of writers, was killed on the way. */
  readonly killed: number;
  /** Changes that were answered as done. */
  readonly answered: number;
  /** Changes that are there though their answer was lost. */
  readonly unanswered: number;
  /** Changes that were answered as done and are not there, or came twice. */
  readonly lost: number;
  /** All that is there. */
  readonly sum: number;
  readonly seconds: number;
}

export async function runValues(request: ValuesRequest): Promise<readonly StoreFigures[]> {
  const folder = mkdtempSync(join(tmpdir(), "turnseal-values-"));
  // The database has an owner of its own, who has to come through here.
  chmodSync(folder, 0o755);
  const figures: StoreFigures[] = [];
  try {
    for (const run of [inMemory, inFiles, inSqlite, inRedis, inPostgres]) {
      const found = await run(request, folder);
      request.say(`${found.store}: ${found.sum} changes`);
      figures.push(found);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  return figures;
}

/** Where too few were killed, for one because there was too little to do, nothing is shown. */
export function isKept(figures: StoreFigures, { writers, adds }: ValuesRequest): boolean {
  const { store, killed, lost, sum } = figures;
  return lost === 0 && sum === writers * adds && killed === (store === MEMORY ? 0 : KILLS);
}

/** Ends with the one process that it is in. */
const MEMORY = "memory";
const KILLS = 2;

const PROCESSES = 4;

function namesOf(writers: number): string[] {
  return Array.from({ length: writers }, (_, at) => `writer-${at}`);
}

async function inMemory(request: ValuesRequest): Promise<StoreFigures> {
  const values = new InMemoryVSL();
  const watch = createWatch(request, MEMORY);
  await Promise.all(
    namesOf(request.writers).map((writer) =>
      writeCounts(values, { writer, adds: request.adds }, watch.tell),
    ),
  );
  return watch.close(values);
}

async function inFiles(request: ValuesRequest, folder: string): Promise<StoreFigures> {
  const place = join(folder, "files");
  const watch = createWatch(request, "file");
  await runProcesses("file", place, request, watch);
  return watch.close(folderValues({ folder: place, tenant: "acme" }));
}

async function inSqlite(request: ValuesRequest, folder: string): Promise<StoreFigures> {
  const place = join(folder, "values.db");
  const watch = createWatch(request, "SQLite");
  await runProcesses("sqlite", place, request, watch);
  const stores = sqliteStores({ file: place });
  const figures = await watch.close(stores.values);
  stores.close();
  return figures;
}

/** Processes with their share of the writers. The first is killed twice, and comes again. */
async function runProcesses(
  kind: string,
  place: string,
  { writers, adds }: ValuesRequest,
  watch: Watch,
): Promise<void> {
  const names = namesOf(writers);
  const program = new URL("worker.ts", import.meta.url);
  const start = (share: readonly string[], killAt: readonly number[]): Promise<void> => {
    const [next, ...later] = killAt;
    const child = startProcess(program, [kind, place, share.join(), String(adds)]);
    let count = 0;
    child.on("message", (told) => {
      watch.tell(told as Told);
      if (++count === next) child.kill("SIGKILL");
    });
    return new Promise((resolve, reject) => {
      child.on("exit", (code, signal) => {
        if (signal === "SIGKILL") watch.countKill();
        if (signal === "SIGKILL") start(share, later).then(resolve, reject);
        else if (code === 0) resolve();
        else reject(new Error(`a process of writers ended with ${code}`));
      });
    });
  };
  const shares = Array.from({ length: PROCESSES }, (_, at) =>
    names.filter((_name, index) => index % PROCESSES === at),
  ).filter((share) => share.length > 0);
  await Promise.all(shares.map((share, at) => start(share, at === 0 ? [7, 11] : [])));
}

async function inRedis(request: ValuesRequest, folder: string): Promise<StoreFigures> {
  const server = await startRedis(join(folder, "redis"));
  const opened = await Promise.all(
    Array.from({ length: PROCESSES }, () => openRedis({ url: server.url })),
  );
  const layers = opened.map((redis) => redis.openValues("acme"));
  const watch = createWatch(request, "Redis");
  await writeAndKill(layers, request, watch, server);
  const figures = await watch.close(firstOf(layers));
  for (const redis of opened) redis.close();
  await server.kill();
  return figures;
}

async function inPostgres(request: ValuesRequest, folder: string): Promise<StoreFigures> {
  const server = await startPostgres(join(folder, "postgres"));
  const url = server.urlOf("turnseal");
  await createPostgresDatabase(url);
  await migratePostgres({ url });
  const pools = await Promise.all(
    Array.from({ length: PROCESSES }, () => openPostgresPool({ url })),
  );
  const layers = pools.map((pool) => pool.forTenant("acme").values);
  const watch = createWatch(request, "PostgreSQL");
  await writeAndKill(layers, request, watch, server);
  const figures = await watch.close(firstOf(layers));
  for (const pool of pools) await pool.close();
  await server.kill();
  return figures;
}

function firstOf(layers: readonly ValueStateLayer[]): ValueStateLayer {
  const [values] = layers;
  if (values === undefined) throw new Error("there are no connections");
  return values;
}

interface Killable {
  kill(): Promise<void>;
  start(): Promise<void>;
}

/** All writers, and the server killed after a third and after two thirds of what they do. */
async function writeAndKill(
  layers: readonly ValueStateLayer[],
  { writers, adds }: ValuesRequest,
  watch: Watch,
  server: Killable,
): Promise<void> {
  const written = namesOf(writers).map((writer, at) => {
    const values = layers[at % layers.length];
    return values === undefined
      ? Promise.resolve()
      : writeCounts(values, { writer, adds }, watch.tell);
  });
  for (const third of [1, 2]) {
    await watch.until((writers * adds * third) / 3);
    await server.kill();
    watch.countKill();
    await server.start();
  }
  await Promise.all(written);
}

type Watch = ReturnType<typeof createWatch>;

/** Counts the writers' answers, and compares them with the values at the end. */
function createWatch({ writers, adds }: ValuesRequest, store: string) {
  const startedMs = performance.now();
  let killed = 0;
  const told: Told[] = [];
  return {
    tell: (one: Told): void => void told.push(one),
    countKill: (): void => void killed++,
    until: async (count: number): Promise<void> => {
      while (told.length < count) await new Promise((resolve) => setTimeout(resolve, 5));
    },
    close: async (values: ValueStateLayer): Promise<StoreFigures> => {
      const counts = ((await values.get(COUNTS)) ?? {}) as Record<string, number>;
      const sum = Object.values(counts).reduce((all, count) => all + count, 0);
      const answered = new Set(told.map(({ writer, count }) => `${writer} ${count}`));
      const versions = new Set(told.map(({ version }) => version));
      const missing = told.filter(({ writer, count }) => (counts[writer] ?? 0) < count);
      const again = 2 * told.length - answered.size - versions.size;
      return {
        ...{ store, killed, answered: told.length, unanswered: writers * adds - answered.size },
        ...{ lost: again + missing.length, sum },
        seconds: Math.round((performance.now() - startedMs) / 100) / 10,
      };
    },
  };
}
