/** A file and a database of the proof's own, which it drops in the end. */
import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import {
  migratePostgres,
  openPostgresStores,
  type PostgresStores,
} from "@turnseal/adapters/postgres";
import pg from "pg";

const SERVER_URL =
  process.env["TURNSEAL_TEST_POSTGRES_URL"] ?? "postgres://postgres@127.0.0.1:5432/postgres";
export const ROLES = {
  owner: "turnseal_test_owner",
  worker: "turnseal_test_worker",
  reader: "turnseal_test_reader",
};
export const TENANT = "proof";

export interface Places {
  readonly file: string;
  readonly url: string;
  drop(): Promise<void>;
}

export async function makePlaces(): Promise<Places> {
  const folder = mkdtempSync(
    join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "turnseal-graph-"),
  );
  const name = `turnseal_graph_${randomUUID().replaceAll("-", "")}`;
  const server = new pg.Client({ connectionString: SERVER_URL });
  await server.connect();
  await server.query(`create database ${name}`);
  // The proof is about accepted and refused writes, not about a loss of power.
  await server.query(`alter database ${name} set synchronous_commit = off`);
  const url = new URL(SERVER_URL);
  url.pathname = `/${name}`;
  await migratePostgres({ url: url.href, roles: ROLES });
  return {
    ...{ file: join(folder, "graph.db"), url: url.href },
    drop: async () => {
      await server.query(`drop database ${name} with (force)`);
      await server.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

export function openPostgres(url: string): Promise<PostgresStores> {
  return openPostgresStores({ url, tenant: TENANT, roles: ROLES });
}
