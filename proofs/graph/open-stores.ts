/** The three stores of the proof, in places of their own: memory, a file, and a database. */
import { sqliteStores } from "@turnseal/adapters/sqlite";
import { type GraphStore, memoryStores, type Stores, systemClock } from "@turnseal/ports";
import type { GraphWrite } from "@turnseal/protocol/graph";
import pg from "pg";
import { makePlaces, openPostgres, ROLES, TENANT } from "./make-places.ts";

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

export async function openProofStores(): Promise<ProofStores> {
  const places = await makePlaces();
  const sqlite = sqliteStores({ file: places.file });
  const postgres = await openPostgres(places.url);
  const session = await openSession(places.url);
  let last: Promise<unknown> = Promise.resolve();
  const { log, graphs } = memoryStores(systemClock);
  if (graphs === undefined) throw new Error("the stores in memory keep graphs");
  return {
    stores: {
      memory: { log, graphs },
      sqlite,
      postgres: {
        ...{ log: postgres.log, graphs: postgres.graphs },
        // A session answers one question after another.
        writeUnchecked: (run, write) => {
          const written = last.then(() => writeUnchecked(session, run, write));
          last = written.catch(() => {});
          return written;
        },
      },
    },
    close: async () => {
      sqlite.close();
      await session.end();
      await postgres.close();
      await places.drop();
    },
  };
}

/** A session of the worker's role, as any of its programs could have one. */
async function openSession(url: string): Promise<pg.Client> {
  const session = new pg.Client({ connectionString: url });
  await session.connect();
  await session.query(`set role ${ROLES.worker}`);
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
