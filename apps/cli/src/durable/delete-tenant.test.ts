import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { PassThrough } from "node:stream";
import { folderArchive } from "@turnseal/adapters/archive";
import { migratePostgres, openArchiveBook, openTenantBook } from "@turnseal/adapters/postgres";
import { createScreen } from "@turnseal/terminal";
import pg from "pg";
import { expect, onTestFinished, test } from "vitest";
import { readWritten } from "../read-written.test.data.ts";
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
  const names = ["gone-too/aa/other.json", "gone/aa/noted.json", "gone/bb/left.json"];
  const put = (name: string) => archive.put(name, new TextEncoder().encode("a bundle"));
  for (const name of names) await put(name);
  const drafts = names.map((name) => join(path, ".drafts", `${name.replaceAll("/", "~")}~1`));
  for (const draft of drafts) writeFileSync(draft, "a bundle");
  for (const tenant of ["gone", "gone-too"])
    await ask(
      url.href,
      `insert into turnseal.archive_place values ('${tenant}', '${path}');
       insert into turnseal.archived (tenant, run, sequence, hash, place, has_content)
         values ('${tenant}', gen_random_uuid(), 1, 'h', '${path}', true)`,
    );
  const [stdout, stderr] = [new PassThrough(), new PassThrough()];
  const terminal = { out: createScreen(stdout, {}), err: createScreen(stderr, {}) };
  // A running archiver would write deleted bundles again: nothing is deleted beside it.
  const archiving = await openArchiveBook({ url: url.href, roles });
  await expect(deleteTenant(book, "gone", {}, terminal)).rejects.toMatchObject({
    code: "STORE_UNREACHABLE",
  });
  await archiving.close();
  expect(await archive.list("")).toEqual(names);
  // Somebody who does not know yet that it must not archive any more.
  const late = {
    ...book,
    deleteRows: async (...asked: Parameters<typeof book.deleteRows>) => {
      const rows = await book.deleteRows(...asked);
      await put("gone/cc/late.json");
      return rows;
    },
  };
  expect(await deleteTenant(late, "gone", {}, terminal)).toBe(0);
  expect(readWritten(stderr)).toContain(`archive ${path}/gone: 2 runs deleted`);
  expect(await archive.list("")).toEqual(["gone-too/aa/other.json"]);
  expect(drafts.map((draft) => existsSync(draft))).toEqual([true, false, false]);
  for (const table of ["archived", "archive_place"])
    expect(await ask(url.href, `select tenant from turnseal.${table}`)).toEqual([
      { tenant: "gone-too" },
    ]);
  // Asked again after a kill: workers rely for three seconds on what they found of a tenant.
  await ask(url.href, "insert into turnseal.head (tenant, run) values ('gone', gen_random_uuid())");
  const times: number[] = [];
  const timed = {
    ...book,
    remove: async (...asked: Parameters<typeof book.remove>) => {
      await book.remove(...asked);
      times.push(performance.now());
    },
    listArchives: (of: string) => {
      times.push(performance.now());
      return book.listArchives(of);
    },
  };
  expect(await deleteTenant(timed, "gone", {}, terminal)).toBe(0);
  const [removedMs = 0, lookedMs = 0] = times;
  expect(lookedMs - removedMs).toBeGreaterThan(3_000);
}, 60_000);
