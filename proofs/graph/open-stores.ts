/** The three stores of the proof, in places of their own: memory, a file, and a database. */
import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migratePostgres, openPostgresStores } from "@turnseal/adapters/postgres";
import { sqliteStores } from "@turnseal/adapters/sqlite";
import { type GraphStore, memoryStores, type Stores, systemClock } from "@turnseal/ports";
import pg from "pg";

const SERVER_URL =
  process.env["TURNSEAL_TEST_POSTGRES_URL"] ?? "postgres://postgres@127.0.0.1:5432/postgres";
const roles = {
  owner: "turnseal_test_owner",
  worker: "turnseal_test_worker",
  reader: "turnseal_test_reader",
};

/** Stores that keep graphs. */
export type GraphStores = Pick<Stores, "log"> & { readonly graphs: GraphStore };

export const STORE_NAMES = ["memory", "sqlite", "postgres"] as const;
export type StoreName = (typeof STORE_NAMES)[number];

export interface ProofStores {
  readonly stores: Readonly<Record<StoreName, GraphStores>>;
  close(): Promise<void>;
}

export async function openProofStores(): Promise<ProofStores> {
  const folder = mkdtempSync(
    join(existsSync("/dev/shm") ? "/dev/shm" : tmpdir(), "turnseal-graph-"),
  );
  const name = `turnseal_graph_${randomUUID().replaceAll("-", "")}`;
  const server = new pg.Client({ connectionString: SERVER_URL });
  await server.connect();
  await server.query(`create database ${name}`);
  // What is proved is what is taken and refused, not what survives a loss of power.
  await server.query(`alter database ${name} set synchronous_commit = off`);
  const url = new URL(SERVER_URL);
  url.pathname = `/${name}`;
  await migratePostgres({ url: url.href, roles });
  const sqlite = sqliteStores({ file: join(folder, "graph.db") });
  const postgres = await openPostgresStores({ url: url.href, tenant: "proof", roles });
  const { log, graphs } = memoryStores(systemClock);
  if (graphs === undefined) throw new Error("the stores in memory keep graphs");
  return {
    stores: { memory: { log, graphs }, sqlite, postgres },
    close: async () => {
      sqlite.close();
      await postgres.close();
      await server.query(`drop database ${name} with (force)`);
      await server.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
