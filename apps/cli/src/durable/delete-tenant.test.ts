import { randomUUID } from "node:crypto";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { folderArchive } from "@turnseal/adapters/archive";
import { migratePostgres, openTenantBook } from "@turnseal/adapters/postgres";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { readWritten } from "../read-written.test.data.ts";
import { createScreen } from "../terminal/screen.ts";
import { deleteTenant } from "./delete-tenant.ts";

const server =
  process.env["TURNSEAL_TEST_POSTGRES_URL"] ?? "postgres://postgres@127.0.0.1:5432/postgres";
const roles = {
  owner: "turnseal_test_owner",
  worker: "turnseal_test_worker",
  reader: "turnseal_test_reader",
};

async function ask(url: string, sql: string): Promise<readonly object[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const { rows } = await client.query(sql);
  await client.end();
  return rows;
}

test("a deleted tenant leaves no bundle, noted or not, and no other tenant loses one", async () => {
  const database = `turnseal_test_${randomUUID().replaceAll("-", "")}`;
  const url = new URL(server);
  url.pathname = `/${database}`;
  await ask(server, `create database ${database} template template0`);
  const path = mkdtempSync(join(tmpdir(), "turnseal-delete-"));
  await migratePostgres({ url: url.href, roles });
  const book = await openTenantBook({ url: url.href, roles });
  onTestFinished(async () => {
    await book.close();
    await ask(server, `drop database ${database} with (force)`);
    rmSync(path, { recursive: true });
  });
  const archive = folderArchive(path);
  const names = ["gone/aa/noted.json", "gone/bb/left.json", "gone-too/aa/other.json"];
  for (const name of names) await archive.put(name, new TextEncoder().encode("a bundle"));
  for (const tenant of ["gone", "gone-too"])
    await ask(
      url.href,
      `insert into turnseal.archived (tenant, run, sequence, hash, place)
         values ('${tenant}', gen_random_uuid(), 1, 'h', '${path}')`,
    );
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const terminal = { out: createScreen(stdout, {}), err: createScreen(stderr, {}) };
  expect(await deleteTenant(book, "gone", {}, terminal)).toBe(0);
  expect(readWritten(stderr)).toContain(`archive ${path}/gone: 2 runs deleted`);
  expect(await archive.list("")).toEqual(["gone-too/aa/other.json"]);
  expect(await ask(url.href, "select tenant from turnseal.archived")).toEqual([
    { tenant: "gone-too" },
  ]);
}, 60_000);
