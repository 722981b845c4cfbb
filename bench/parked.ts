/**
 * Runs that have taken a turn and wait for an approval with an expiry. Measures their cost for the
 * workers and the engine while idle, their size in the database, and the speed of people's
 * decisions. Also checks that all of it goes on after every process was killed.
 */
import type { ChildProcess } from "node:child_process";
import { setTimeout as sleep } from "node:timers/promises";
import { createLocalHost, type LocalHost } from "@turnseal/host";
import pg from "pg";
import { crashSigner } from "../proofs/kit/crash-key.ts";
import { createRandom, type RandomSource } from "../proofs/kit/random-source.ts";
import { wholeNumber, wholeNumbers } from "../tools/command/options.ts";
import type { Say } from "../tools/command/progress.ts";
import type { ValuesOf } from "../tools/command/read-options.ts";
import { type EngineWorld, openEngineWorld, readMemory } from "./engine-world.ts";
import { parkedLoops, startParkedRun } from "./parked-loops.ts";
import type { Benchmark, Figure } from "./report.ts";

const MB = 1_000_000;
const WORKERS = 2;
/** Messages that are under way at the same time. */
const AT_ONCE = 48;
const DECISIONS = 1_000;
/** Memory that one pass frees is returned to the system in the next. */
const TIDY_UPS = 4;
const GROWTH_GOAL = 1.1;
const DONE_MS = 300_000;

export const parkedSizes = {
  runs: wholeNumbers({
    takes: "counts",
    says: "how many are parked, one size after the other",
    default: [1_000, 10_000, 100_000],
    atLeast: 1,
  }),
  idle: wholeNumber({
    takes: "seconds",
    says: "how long nothing happens at each size",
    default: 60,
    atLeast: 0,
  }),
};

export const benchParked: Benchmark<ValuesOf<typeof parkedSizes>> = async (asked, say) => {
  const idleMs = asked.idle * 1_000;
  const world = await openEngineWorld({
    program: new URL("parked-worker.ts", import.meta.url),
    workers: WORKERS,
    settings: {},
    invoker: ["http2-streams-per-connection-limit = 8"],
  });
  const pool = new pg.Pool({ connectionString: world.databaseUrl, max: 2 });
  pool.on("error", () => {});
  try {
    const random = createRandom(1);
    return await measureParked({ world, pool, sizes: asked.runs, idleMs, random, say });
  } finally {
    await pool.end();
    await world.close();
  }
};

interface Bench {
  readonly world: EngineWorld;
  readonly pool: pg.Pool;
  readonly sizes: readonly number[];
  readonly idleMs: number;
  readonly random: RandomSource;
  readonly say: Say;
}

async function measureParked(bench: Bench): Promise<Figure[]> {
  const { world, sizes, idleMs, random, say } = bench;
  const host = createLocalHost({
    ...parkedLoops,
    stores: world.stores,
    signer: crashSigner,
    put: world.ingress.put,
  });
  const runs: string[] = [];
  const idle: Idle[] = [];
  const emptyBytes = await sizeOfDatabase(bench);
  for (const size of sizes) {
    const startedMs = performance.now();
    await spread(size - runs.length, async () => {
      runs.push(await startParkedRun(host));
      say(`${runs.length} of ${size} runs are started`);
    });
    await waitFor(bench, "select count(*) from turnseal.waiting", size);
    const parkedMs = performance.now() - startedMs;
    for (let times = 0; times < TIDY_UPS; times++) {
      say(`${size} runs are parked, and nothing happens for ${idleMs / 1_000} s`);
      await tidyUp(bench);
      await sleep(idleMs / TIDY_UPS);
    }
    idle.push({ ...(await measureIdle(bench, size, emptyBytes)), parkedMs });
  }
  const figures = idle.map(describeIdle);
  const [first, last] = [idle[0], idle.at(-1)];
  figures.push({
    name: `memory of workers, ${last?.runs} runs against ${first?.runs}`,
    columns: { ratio: (last?.worker ?? Number.NaN) / (first?.worker ?? Number.NaN) },
    goal: { column: "ratio", atMost: GROWTH_GOAL },
  });
  figures.push(await decideSome(bench, host, pick(runs, DECISIONS, random)));
  await world.restart();
  const again = pick(runs, Math.ceil(DECISIONS / 10), random);
  const { columns } = await decideSome(bench, host, again);
  return [...figures, { name: "after a restart of everything", columns, goal: allDone }];
}

/** Has every worker let go of what it does not need; answers with what each has in use. */
async function tidyUp({ world }: Bench): Promise<number> {
  const tidyOne = (worker: ChildProcess): Promise<number> =>
    new Promise((resume) => {
      worker.once("message", (used) => resume(Number(used)));
      worker.send("collect");
    });
  const used = await Promise.all(world.workers().map(tidyOne));
  return used.reduce((sum, bytes) => sum + bytes, 0) / used.length;
}

interface Idle {
  readonly runs: number;
  readonly worker: number;
  /** Of a worker's memory, what it has in use. */
  readonly used: number;
  readonly engine: number;
  readonly timers: number;
  readonly bytes: number;
  readonly parkedMs: number;
}

async function measureIdle(
  bench: Bench,
  runs: number,
  emptyBytes: number,
): Promise<Omit<Idle, "parkedMs">> {
  const { world } = bench;
  const engine = world.engine();
  const [row] = await world
    .admin()
    .query("select count(*) as timers from sys_invocation where status = 'scheduled'");
  const workers = world.workers().map(readMemory);
  return {
    runs,
    worker: workers.reduce((sum, bytes) => sum + bytes, 0) / workers.length,
    used: await tidyUp(bench),
    engine: readMemory(engine),
    timers: Number(row?.["timers"]),
    bytes: ((await sizeOfDatabase(bench)) - emptyBytes) / runs,
  };
}

function describeIdle({ runs, worker, used, engine, timers, bytes, parkedMs }: Idle): Figure {
  return {
    name: `${runs.toLocaleString("en")} parked`,
    columns: {
      "a worker MB": worker / MB,
      "in use MB": used / MB,
      "engine MB": engine / MB,
      "engine's timers": timers,
      "bytes of a run": bytes,
      "parked in s": parkedMs / 1_000,
    },
  };
}

async function sizeOfDatabase({ pool }: Bench): Promise<number> {
  const question = `select sum(pg_total_relation_size(c.oid)) as bytes from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    where n.nspname = 'turnseal' and c.relkind = 'r'`;
  return Number((await pool.query(question)).rows[0]?.bytes);
}

const allDone = { column: "left", atMost: 0 } as const;

/** Approves each, and waits until all have ended. */
async function decideSome(bench: Bench, host: LocalHost, runs: readonly string[]): Promise<Figure> {
  const startedMs = performance.now();
  const left = [...runs];
  await spread(left.length, async () => {
    const run = left.pop();
    if (run === undefined) return;
    const [request] = await host.requests(run);
    if (request === undefined) throw new Error(`${run} asks nobody`);
    const by = { id: "ada", roles: [] };
    await host.decide(run, request.id, { choice: "approve", by });
  });
  const decidedMs = performance.now() - startedMs;
  const question = "select count(*) from turnseal.run where ended_at is not null and run = any($1)";
  const done = await waitFor(bench, question, runs.length, [runs]);
  const columns = {
    decided: runs.length,
    "told in s": decidedMs / 1_000,
    "done in s": (performance.now() - startedMs) / 1_000,
    left: runs.length - done,
  };
  return { name: `${runs.length} decided at random`, columns, goal: allDone };
}

/** Waits until a count is reached; answers with what it came to. */
export async function waitFor(
  { pool, say }: Pick<Bench, "pool" | "say">,
  question: string,
  wanted: number,
  values: readonly unknown[] = [],
): Promise<number> {
  const endMs = performance.now() + DONE_MS;
  for (;;) {
    const { rows } = await pool.query(question, [...values]);
    const count = Number(rows[0]?.count);
    if (count >= wanted || performance.now() > endMs) return count;
    say(`${count} of ${wanted} runs have come so far`);
    await sleep(200);
  }
}

/** Some of them, and takes them out of the list. */
function pick(runs: string[], count: number, random: RandomSource): string[] {
  const wanted = Math.min(count, Math.ceil(runs.length / 2));
  return Array.from({ length: wanted }, () => runs.splice(random.below(runs.length), 1)).flat();
}

export async function spread(times: number, act: () => Promise<void>): Promise<void> {
  let left = times;
  const lane = async (): Promise<void> => {
    while (left > 0) {
      left -= 1;
      await act();
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lane));
}
