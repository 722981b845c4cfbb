/** The three stores of the proof, in places of their own: memory, a file, and a database. */
import { randomUUID } from "node:crypto";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { migratePostgres, openPostgresStores } from "@turnseal/adapters/postgres";
import { sqliteStores } from "@turnseal/adapters/sqlite";
import {
  type GraphStore,
  type GraphWrite,
  memoryStores,
  type Stores,
  systemClock,
} from "@turnseal/ports";
import pg from "pg";

const SERVER_URL =
  process.env["TURNSEAL_TEST_POSTGRES_URL"] ?? "postgres://postgres@127.0.0.1:5432/postgres";
const roles = {
  owner: "turnseal_test_owner",
  worker: "turnseal_test_worker",
  reader: "turnseal_test_reader",
};

/** Stores that keep graphs. */
export type GraphStores = Pick<Stores, "log"> & {
  readonly graphs: GraphStore;
  /**
   * Rows that nobody has checked, said to the database itself: false where it refuses them. For a
   * database whose connections do not outlive a refusal, where each would be followed by a new one.
   */
  writeUnchecked?(run: string, write: GraphWrite): Promise<boolean>;
};

export const STORE_NAMES = ["memory", "sqlite", "postgres"] as const;
export type StoreName = (typeof STORE_NAMES)[number];

export interface ProofStores {
  readonly stores: Readonly<Record<StoreName, GraphStores>>;
  close(): Promise<void>;
}

const TENANT = "proof";

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
  const postgres = await openPostgresStores({ url: url.href, tenant: TENANT, roles });
  const session = await openSession(url.href);
  const { log, graphs } = memoryStores(systemClock);
  if (graphs === undefined) throw new Error("the stores in memory keep graphs");
  return {
    stores: {
      memory: { log, graphs },
      sqlite,
      postgres: {
        ...{ log: postgres.log, graphs: postgres.graphs },
        writeUnchecked: (run, write) => writeUnchecked(session, run, write),
      },
    },
    close: async () => {
      sqlite.close();
      await session.end();
      await postgres.close();
      await server.query(`drop database ${name} with (force)`);
      await server.end();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A session of the worker's role, as any of its programs could have one. */
async function openSession(url: string): Promise<pg.Client> {
  const session = new pg.Client({ connectionString: url });
  await session.connect();
  await session.query(`set role ${roles.worker}`);
  await session.query("select set_config('turnseal.tenant', $1, false)", [TENANT]);
  return session;
}

async function writeUnchecked(
  session: pg.Client,
  run: string,
  { from, changes }: GraphWrite,
): Promise<boolean> {
  try {
    await session.query({
      name: "write-unchecked",
      text: "select turnseal.write_graph($1, $2::uuid, $3::bigint, $3::bigint + 1, $4::json)",
      values: [TENANT, run, from, JSON.stringify(changes)],
    });
    return true;
  } catch (error) {
    // Of constraints alone: what is wrong with the statement itself is no refusal.
    if (error instanceof pg.DatabaseError && error.code?.startsWith("23") === true) return false;
    throw error;
  }
}
