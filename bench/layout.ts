/**
 * What a turn leaves in PostgreSQL: bytes and rows by table, updates in place, write-ahead log, and
 * how many statements it asks one after the other.
 *
 * A turn here is one model call and one idempotent tool, both of which answer at once. Some runs of
 * many turns go on side by side in a server of their own, so that its log has no other writers; the
 * first turns of each are not counted. A run of one turn is measured apart, with its start.
 */
import { chmodSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migratePostgres, openPostgresStores } from "@turnseal/adapters/postgres";
import { createLocalHost, type LocalHost } from "@turnseal/host";
import { randomIds, systemClock } from "@turnseal/ports";
import pg from "pg";
import { ask, startPostgres } from "../proofs/kit/start-postgres.ts";
import { wholeNumber } from "../tools/command/options.ts";
import type { ValuesOf } from "../tools/command/read-options.ts";
import { layoutLoops, startLayoutRun } from "./layout-loops.ts";
import { measureTables, type TableSizes } from "./layout-tables.ts";
import type { Benchmark, Figure } from "./report.ts";
import { createSigner } from "./sample-turn.ts";

const DATABASE = "turnseal_layout";
/** Runs that go on side by side. */
const RUNS = 8;
/** Turns of each run before the counted ones: a table takes its first pages whole. */
const WARM_UP = 20;
/** Runs of one turn. */
const SHORT_RUNS = 100;
const KILOBYTES_GOAL = 8;
const ROWS_GOAL = 8;
const HOT_GOAL = 0.9;
const ROUND_TRIPS_GOAL = 6;

export const layoutSizes = {
  turns: wholeNumber({ takes: "turns", says: "turns that count", default: 2_000, atLeast: RUNS }),
};
type LayoutSizes = ValuesOf<typeof layoutSizes>;

export const benchLayout: Benchmark<LayoutSizes> = async ({ turns }, say) => {
  const folder = mkdtempSync(join(tmpdir(), "turnseal-layout-"));
  // The database runs as another user, below this folder.
  chmodSync(folder, 0o755);
  const server = await startPostgres(join(folder, "database"));
  try {
    await ask(server.urlOf("postgres"), `create database ${DATABASE}`);
    const url = server.urlOf(DATABASE);
    await migratePostgres({ url });
    const stores = await openPostgresStores({ url, tenant: "bench" });
    const [clock, ids, signer] = [systemClock, randomIds, createSigner()];
    const host = createLocalHost({ ...layoutLoops, stores, signer, clock, ids });
    say(`${turns} turns`);
    const long = await measureTurns(host, url, Math.ceil(turns / RUNS));
    say(`${SHORT_RUNS} runs of one turn`);
    const short = await measureShortRuns(host);
    await stores.close();
    return [...long, ...short];
  } finally {
    await server.kill();
    rmSync(folder, { recursive: true, force: true });
  }
};

/** Runs of so many turns, at once. */
async function driveRuns(host: LocalHost, turns: number): Promise<void> {
  const one = async (): Promise<void> => {
    const run = await startLayoutRun(host, turns);
    const { dues } = await host.advance(run, { sliceMs: Number.POSITIVE_INFINITY });
    if (dues.kind !== "done") throw new Error(`the run is ${dues.kind}`);
  };
  await Promise.all(Array.from({ length: RUNS }, one));
}

async function measureTurns(host: LocalHost, url: string, each: number): Promise<Figure[]> {
  await driveRuns(host, WARM_UP);
  // The fixed cost of a run is in both, so the difference is without it.
  const first = await measureWork(url, () => driveRuns(host, WARM_UP));
  const second = await measureWork(url, () => driveRuns(host, WARM_UP + each));
  const turns = each * RUNS;
  const perTurn = (part: (work: Work) => number): number => (part(second) - part(first)) / turns;
  const names = [...second.after.bytes.keys()].sort();
  const kilobytesOf = (name: string) => (work: Work) =>
    ((work.after.bytes.get(name) ?? 0) - (work.before.bytes.get(name) ?? 0)) / 1_000;
  const rowsOf = (name: string) => (work: Work) =>
    (work.after.rows.get(name) ?? 0) - (work.before.rows.get(name) ?? 0);
  const sumOver = (part: (name: string) => (work: Work) => number): number =>
    names.reduce((sum, name) => sum + perTurn(part(name)), 0);
  const updates = second.after.updates - second.before.updates;
  const hot = second.after.hotUpdates - second.before.hotUpdates;
  return [
    ...names
      .map((name) => ({
        name: `table ${name}`,
        columns: { KB: perTurn(kilobytesOf(name)), rows: perTurn(rowsOf(name)) },
      }))
      .filter(({ columns }) => columns.KB >= 0.005 || columns.rows >= 0.005),
    {
      name: "kilobytes of a turn",
      columns: { KB: sumOver(kilobytesOf) },
      goal: { column: "KB", atMost: KILOBYTES_GOAL },
    },
    {
      name: "rows of a turn",
      columns: { rows: sumOver(rowsOf) },
      goal: { column: "rows", atMost: ROWS_GOAL },
    },
    {
      name: "snapshots replaced in place",
      columns: { share: hot / updates, "per turn": updates / (turns + RUNS * WARM_UP) },
      goal: { column: "share", atLeast: HOT_GOAL },
    },
    {
      name: "write-ahead log of a turn",
      columns: { KB: perTurn((work) => (work.after.walBytes - work.before.walBytes) / 1_000) },
    },
    {
      name: "statements of a turn",
      columns: { asked: perTurn(({ statements }) => countOf(statements)) },
    },
  ];
}

/** Runs of one turn, one after the other: each statement is waited for. */
async function measureShortRuns(host: LocalHost): Promise<Figure[]> {
  const asked = await countStatements(async () => {
    for (let made = 0; made < SHORT_RUNS; made++) {
      const run = await startLayoutRun(host, 1);
      await host.advance(run);
    }
  });
  const each = [...asked].toSorted(([one], [other]) => one.localeCompare(other));
  return [
    ...each.map(([name, count]) => ({
      name: `run of one turn: ${name}`,
      columns: { asked: count / SHORT_RUNS },
    })),
    {
      name: "statements of a run of one turn",
      columns: { asked: countOf(asked) / SHORT_RUNS },
      goal: { column: "asked", atMost: ROUND_TRIPS_GOAL },
    },
  ];
}

interface Work {
  readonly before: TableSizes;
  readonly after: TableSizes;
  readonly statements: ReadonlyMap<string, number>;
}

async function measureWork(url: string, work: () => Promise<void>): Promise<Work> {
  const before = await measureTables(url);
  const statements = await countStatements(work);
  return { before, after: await measureTables(url), statements };
}

/** Counts the executions of each statement during some work, as the driver gets them. */
async function countStatements(work: () => Promise<void>): Promise<ReadonlyMap<string, number>> {
  const counts = new Map<string, number>();
  const { query } = pg.Client.prototype;
  // The driver has no other place to look at what goes over its connections.
  const watched = function (this: pg.Client, ...given: readonly unknown[]): unknown {
    const [asked] = given;
    const isNamed = typeof asked === "object" && asked !== null && "name" in asked;
    // A name ends with a digest of its text.
    const name = isNamed ? String(asked.name).replace(/-[0-9a-f]{8}$/, "") : "without a name";
    counts.set(name, (counts.get(name) ?? 0) + 1);
    return Reflect.apply(query, this, given);
  };
  Object.assign(pg.Client.prototype, { query: watched });
  try {
    await work();
  } finally {
    Object.assign(pg.Client.prototype, { query });
  }
  return counts;
}

function countOf(statements: ReadonlyMap<string, number>): number {
  return [...statements.values()].reduce((sum, count) => sum + count, 0);
}
