/**
 * What an append to PostgreSQL costs, beside one to SQLite in the same run.
 *
 * An append here is what closes a turn: five events, a blob, a receipt and a snapshot of a
 * kilobyte. Each run appends one after the other, and as many runs append at once as there are
 * connections. Both stores answer when the append is durable, so the disk of the machine is part of
 * the figures, and only their ratio travels. Commits are counted by the server.
 */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migratePostgres, openPostgresStores } from "@turnseal/adapters/postgres";
import { sqliteStores } from "@turnseal/adapters/sqlite";
import type { Stores } from "@turnseal/ports";
import { headAfter, sampleAppend, sampleBlob, sampleReceipt } from "@turnseal/ports/contracts";
import { EMPTY_HEAD, type Head } from "@turnseal/protocol";
import pg from "pg";
import { median } from "./median.ts";
import type { Benchmark, Figure } from "./report.ts";

const SERVER_URL =
  process.env["TURNSEAL_TEST_POSTGRES_URL"] ?? "postgres://postgres@127.0.0.1:5432/postgres";
const CONNECTIONS = [1, 16] as const;
const APPENDS = 800;
const WARM_UP = 160;
const SETTLE_MS = 1_000;
const roles = {
  owner: "turnseal_test_owner",
  worker: "turnseal_test_worker",
  reader: "turnseal_test_reader",
};

/** Measures both stores at every number of connections. */
export const benchAppend: Benchmark = async () => {
  const name = `turnseal_bench_${randomUUID().replaceAll("-", "")}`;
  const folder = mkdtempSync(join(tmpdir(), "turnseal-bench-"));
  const server = new pg.Client({ connectionString: SERVER_URL });
  await server.connect();
  await server.query(`create database ${name}`);
  try {
    const url = new URL(SERVER_URL);
    url.pathname = `/${name}`;
    await migratePostgres({ url: url.href, roles });
    const figures: Figure[] = [];
    for (const connections of CONNECTIONS) {
      const file = join(folder, `${connections}.db`);
      figures.push(...(await compare({ url: url.href, file, server, name, connections })));
    }
    return figures;
  } finally {
    await server.query(`drop database ${name} with (force)`);
    await server.end();
    rmSync(folder, { recursive: true });
  }
};

interface Place {
  readonly url: string;
  readonly file: string;
  readonly server: pg.Client;
  readonly name: string;
  readonly connections: number;
}

async function compare({ url, file, server, name, connections }: Place): Promise<Figure[]> {
  const commits = async (): Promise<number> => {
    const sql = "select xact_commit from pg_stat_database where datname = $1";
    return Number((await server.query(sql, [name])).rows[0]?.xact_commit);
  };
  // A connection tells its counts for certain when it closes, and then a moment later.
  const inPool = async (appends: number): Promise<Times> => {
    const options = { url, tenant: "bench", roles, connectionsMax: connections };
    const stores = await openPostgresStores(options);
    const times = await measure(stores, connections, appends);
    await stores.close();
    await new Promise((resolve) => setTimeout(resolve, SETTLE_MS));
    return times;
  };
  await inPool(WARM_UP);
  const before = await commits();
  const ours = await inPool(APPENDS);
  // Each run took an epoch besides, and opening asked twice.
  const perAppend = ((await commits()) - before - connections - 2) / ours.appends;
  const sqlite = sqliteStores({ file });
  await measure(sqlite, connections, WARM_UP);
  const local = await measure(sqlite, connections, APPENDS);
  sqlite.close();
  const place = `${connections} at once`;
  return [
    {
      name: `PostgreSQL, ${place}`,
      columns: { "median ms": ours.medianMs, "per second": ours.perSecond, commits: perAppend },
      goal: { column: "commits", atMost: 1.02 },
    },
    {
      name: `SQLite, ${place}`,
      columns: { "median ms": local.medianMs, "per second": local.perSecond },
    },
  ];
}

interface Times {
  readonly appends: number;
  readonly medianMs: number;
  readonly perSecond: number;
}

/** Appends to so many runs at once, so many times in all. */
async function measure(stores: Stores, runs: number, appends: number): Promise<Times> {
  const timesMs: number[] = [];
  const startedAt = performance.now();
  const ids = Array.from({ length: runs }, () => randomUUID());
  const each = Math.ceil(appends / runs);
  await Promise.all(ids.map((run) => appendTurns(stores, run, { each, timesMs })));
  const tookMs = performance.now() - startedAt;
  const perSecond = (timesMs.length / tookMs) * 1_000;
  return { appends: timesMs.length, medianMs: median(timesMs), perSecond };
}

interface Turns {
  readonly each: number;
  readonly timesMs: number[];
}

async function appendTurns({ log }: Stores, run: string, { each, timesMs }: Turns): Promise<void> {
  const { epoch } = await log.takeEpoch(run);
  let after: Head = EMPTY_HEAD;
  for (let turn = 1; turn <= each; turn++) {
    const snapshot = { run, sequence: after.sequence, state: { turn, text: "x".repeat(1_000) } };
    const append = sampleAppend(
      { run, epoch, after, count: 5 },
      { blobs: [sampleBlob(`${run} ${turn}`)], receipt: sampleReceipt(turn, run), snapshot },
    );
    const startedAt = performance.now();
    const answer = await log.append(append);
    timesMs.push(performance.now() - startedAt);
    if (answer.kind !== "appended") throw new Error(`an append was answered ${answer.kind}`);
    after = headAfter(append);
  }
}
