/**
 * Many tenants in a few workers, on a server that allows a hundred connections. Measures whether
 * all are served, whether each sees its own runs and no others, and how many connections that
 * takes.
 */
import { openTenantBook } from "@turnseal/adapters/postgres";
import type { Stores } from "@turnseal/ports";
import { createRandom } from "../proofs/kit/random-source.ts";
import { wholeNumber } from "../tools/command/options.ts";
import type { Say } from "../tools/command/progress.ts";
import type { ValuesOf } from "../tools/command/read-options.ts";
import { type FleetWorld, openFleetWorld } from "./fleet-world.ts";
import type { Benchmark, Figure } from "./report.ts";
import { startSampleRun } from "./sample-turn.ts";

const WORKERS = 3;
const SLOTS = 16;
/** Of each worker, and of this process: the rest is for a superuser. */
const CONNECTIONS = 23;
const SERVER_CONNECTIONS = 100;
const RUNS = 2;
/** Tenants that are at it at once. */
const AT_ONCE = 128;

export const tenantsSizes = {
  tenants: wholeNumber({ takes: "tenants", says: "how many", default: 1_000, atLeast: 2 }),
};

export const benchTenants: Benchmark<ValuesOf<typeof tenantsSizes>> = async ({ tenants }, say) => {
  const names = Array.from({ length: tenants }, (_, at) => `tenant-${at}`);
  const world = await openFleetWorld({
    ...{ tenants: names, workers: WORKERS, slots: SLOTS, connections: CONNECTIONS },
    ...{ serverConnections: SERVER_CONNECTIONS, areListed: true },
  });
  try {
    await addTenants(world, names, say);
    const beganMs = performance.now();
    const runs = await startAll(world, names, say);
    const seconds = (performance.now() - beganMs) / 1_000;
    say("each looks at its own, and at those of another");
    const wrong = await countWrong(world, runs);
    const served = [...runs.values()].flat().length;
    const failed = [...world.errors.values()].reduce((sum, count) => sum + count, 0);
    return describe({ served, wanted: RUNS * tenants, seconds, wrong, failed, world });
  } finally {
    await world.close();
  }
};

async function addTenants(world: FleetWorld, names: readonly string[], say: Say): Promise<void> {
  say(`${names.length} tenants are added while the workers run`);
  const book = await openTenantBook({ url: world.databaseUrl });
  for (const name of names) await book.add(name, "bench");
  await book.close();
}

type Runs = ReadonlyMap<string, readonly string[]>;

/** Starts the runs of all tenants, mixed, and waits until each is done. */
async function startAll(world: FleetWorld, names: readonly string[], say: Say): Promise<Runs> {
  const random = createRandom(1);
  const queue = names.flatMap((name) => Array.from({ length: RUNS }, () => name));
  const runs = new Map<string, string[]>(names.map((name) => [name, []]));
  let done = 0;
  const startSome = async (): Promise<void> => {
    for (;;) {
      const [name] = queue.splice(random.below(queue.length), 1);
      if (name === undefined) return;
      const run = await startSampleRun(world.hostOf(name), 1);
      await world.whenDone(run);
      runs.get(name)?.push(run);
      done += 1;
      if (done % 100 === 0) say(`${done} of ${RUNS * names.length} runs`);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, startSome));
  return runs;
}

/** How often a tenant does not find what is its own, or finds what is another's. */
async function countWrong(world: FleetWorld, runs: Runs): Promise<number> {
  const queue = [...runs];
  const names = [...runs.keys()];
  let wrong = 0;
  const lookSome = async (): Promise<void> => {
    for (;;) {
      const next = queue.pop();
      if (next === undefined) return;
      const [name, own] = next;
      const stores = world.storesOf(name);
      const listed = (await stores.runs.list()).map(({ run }) => run);
      const isOwn = listed.length === own.length && own.every((run) => listed.includes(run));
      if (!isOwn) wrong += 1;
      for (const run of own) if ((await countRows(stores, run)) === 0) wrong += 1;
      const other = names[(names.indexOf(name) + 1) % names.length] ?? name;
      for (const run of runs.get(other) ?? []) wrong += await countRows(stores, run);
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, lookSome));
  return wrong;
}

/** What is read of a run: its state, its events, its receipts. */
async function countRows({ runs, log, receipts }: Stores, run: string): Promise<number> {
  const state = await runs.read(run);
  const [events, sealed] = [await log.read(run, 1), await receipts.list(run, 0, 1)];
  return Number(state !== undefined) + events.length + sealed.length;
}

interface Seen {
  readonly served: number;
  readonly wanted: number;
  readonly seconds: number;
  readonly wrong: number;
  readonly failed: number;
  readonly world: FleetWorld;
}

function describe({ served, wanted, seconds, wrong, failed, world }: Seen): Figure[] {
  const { memory, connections } = world.most;
  return [
    {
      name: "runs that were done",
      columns: { runs: served, "runs/s": served / seconds, errors: failed },
      goal: { column: "runs", atLeast: wanted },
    },
    {
      name: "seen wrongly",
      columns: { times: wrong },
      goal: { column: "times", atMost: 0 },
    },
    {
      name: "connections",
      columns: { most: connections, "worker MB": memory / (1024 * 1024) },
      goal: { column: "most", atMost: SERVER_CONNECTIONS },
    },
  ];
}
