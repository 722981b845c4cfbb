/**
 * Compares the cost of the first page of `turnseal runs` with many runs to its cost with few, in
 * SQLite and in PostgreSQL. Only the ratio travels: it shows whether a list grows with the rows
 * behind it.
 *
 * The rows are written as an append leaves them, and not by appends: what is measured is reading.
 */
import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { DatabaseSync } from "node:sqlite";
import { migratePostgres, openPostgresStores } from "@turnseal/adapters/postgres";
import { sqliteStores } from "@turnseal/adapters/sqlite";
import { memoryStores, systemClock } from "@turnseal/ports";
import { readNewest, type StoreFolder } from "@turnseal/runtime/folder";
import pg from "pg";
import type { Benchmark, Figure } from "./report.ts";
import { createSampleHost, createSigner, startSampleRun } from "./sample-turn.ts";

export interface ListSize {
  readonly few: number;
  readonly many: number;
  /** Pages that are read of each. */
  readonly pages: number;
}

const SIZE: ListSize = { few: 500, many: 50_000, pages: 400 };
const PAGE = 50;
const WARM_UP = 20;
const RATIO_GOAL = 1.5;
const SERVER_URL =
  process.env["TURNSEAL_TEST_POSTGRES_URL"] ?? "postgres://postgres@127.0.0.1:5432/postgres";
const roles = {
  owner: "turnseal_test_owner",
  worker: "turnseal_test_worker",
  reader: "turnseal_test_reader",
};

export const benchList: Benchmark = () => measureLists(SIZE);

/** Measures both stores. */
export async function measureLists(size: ListSize): Promise<readonly Figure[]> {
  const state = await sampleState();
  return [await measureSqlite(size, state), await measurePostgres(size, state)];
}

/** The state of a run of one turn, as a text. */
async function sampleState(): Promise<string> {
  const stores = memoryStores(systemClock);
  const host = createSampleHost(stores, createSigner());
  const run = await startSampleRun(host, 1);
  await host.drive(run);
  return JSON.stringify((await stores.runs.read(run))?.state);
}

async function measureSqlite(size: ListSize, state: string): Promise<Figure> {
  const folder = mkdtempSync(join(tmpdir(), "turnseal-list-"));
  const open = (runs: number) => {
    const file = join(folder, `${runs}.db`);
    sqliteStores({ file }).close();
    const db = new DatabaseSync(file);
    db.exec("begin");
    const head = db.prepare("insert into head values (?, ?, 1, 1, 'h')");
    const snapshot = db.prepare(
      "insert into snapshot (run_number, sequence, state) values (?, 1, ?)",
    );
    for (let number = 1; number <= runs; number++) {
      head.run(number, randomUUID());
      snapshot.run(number, state);
    }
    db.exec("commit");
    db.close();
    const stores = sqliteStores({ file });
    return { path: folder, stores, newest: stores.lists.listNewest };
  };
  const places = [open(size.few), open(size.many)] as const;
  try {
    return await compare("SQLite", places, size);
  } finally {
    for (const { stores } of places) stores.close();
    rmSync(folder, { recursive: true });
  }
}

async function measurePostgres(size: ListSize, state: string): Promise<Figure> {
  const name = `turnseal_bench_${randomUUID().replaceAll("-", "")}`;
  const server = new pg.Client({ connectionString: SERVER_URL });
  await server.connect();
  await server.query(`create database ${name}`);
  const url = new URL(SERVER_URL);
  url.pathname = `/${name}`;
  try {
    await migratePostgres({ url: url.href, roles });
    await fillPostgres(url.href, size, state);
    const open = async (tenant: string) => {
      const stores = await openPostgresStores({ url: url.href, tenant, roles });
      const newest = async (before?: string) =>
        (await stores.lists.listNewest(before)).map((snapshot) => ({
          run: snapshot.run,
          snapshot,
        }));
      return { path: "", stores, newest };
    };
    const places = [await open("few"), await open("many")] as const;
    const figure = await compare("PostgreSQL", places, size);
    for (const { stores } of places) await stores.close();
    return figure;
  } finally {
    await server.query(`drop database ${name} with (force)`);
    await server.end();
  }
}

async function fillPostgres(url: string, { few, many }: ListSize, state: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  for (const [tenant, runs] of [["few", few] as const, ["many", many] as const])
    await client.query(
      // The first byte says that the text is plain.
      `insert into turnseal.run (tenant, run, sequence, state, started_at)
       select $1, gen_random_uuid(), 1, '\\x00'::bytea || convert_to($2::text, 'UTF8'),
              to_char(timestamp '2026-01-01' + number * interval '1 second',
                'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')
         from generate_series(1, $3::int) as number`,
      [tenant, state, runs],
    );
  await client.query("vacuum analyze turnseal.run");
  await client.end();
}

/** Reads pages of both in turns, so that what else the machine does meets both alike. */
async function compare(
  name: string,
  [few, many]: readonly [StoreFolder, StoreFolder],
  { pages }: ListSize,
): Promise<Figure> {
  const times: { readonly few: number[]; readonly many: number[] } = { few: [], many: [] };
  for (let page = 0; page < pages + WARM_UP; page++) {
    const [one, other] = [await readPage(few), await readPage(many)];
    if (page < WARM_UP) continue;
    times.few.push(one);
    times.many.push(other);
  }
  const [fewMs, manyMs] = [percentile(times.few, 0.99), percentile(times.many, 0.99)];
  return {
    name,
    columns: {
      ...{ "few p50 ms": percentile(times.few, 0.5), "many p50 ms": percentile(times.many, 0.5) },
      ...{ "few p99 ms": fewMs, "many p99 ms": manyMs, ratio: manyMs / fewMs },
    },
    goal: { column: "ratio", atMost: RATIO_GOAL },
  };
}

async function readPage(folder: StoreFolder): Promise<number> {
  const from = performance.now();
  let rows = 0;
  for await (const _ of readNewest(folder)) {
    rows += 1;
    if (rows === PAGE) break;
  }
  return performance.now() - from;
}

function percentile(values: readonly number[], part: number): number {
  const sorted = values.toSorted((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? Number.NaN;
}
