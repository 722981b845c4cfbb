/**
 * Lets one process at a time archive, or delete a tenant. Two would write the same file: one could
 * replace a noted bundle with an older one, or remove it.
 */
import { StoreError } from "@turnseal/ports";
import pg from "pg";
import { CONNECT_MS_MAX } from "./open-database.ts";
import { quoteName } from "./roles.ts";
import { toStoreError } from "./to-store-error.ts";

export interface ArchivingHold {
  /** Throws where it is known to be held no more: another may archive by now. */
  check(): void;
  /** Rejects where it is held no more, as the database says. */
  prove(): Promise<void>;
  release(): Promise<void>;
}

export interface HoldOptions {
  readonly url: string;
  readonly role: string;
  /** How long to wait: a process that was killed a moment ago may still hold it. */
  readonly waitMs?: number;
}

const WAIT_MS = 5_000;
/** How long an answer is waited for, longer than for the lock. */
const ANSWER_MS = 35_000;
const TAKEN = "another process archives this database, or deletes a tenant of it";

/**
 * Holds it by a connection of its own, and so no longer than this process lives. The lock keeps
 * nobody from reading or changing rows, and only the owner can take it.
 */
export async function holdArchiving(options: HoldOptions): Promise<ArchivingHold> {
  const { url, role, waitMs = WAIT_MS } = options;
  const client = new pg.Client({
    ...{ connectionString: url, application_name: "turnseal archive", keepAlive: true },
    ...{ connectionTimeoutMillis: CONNECT_MS_MAX, query_timeout: ANSWER_MS },
  });
  let isLost = false;
  const lose = (): void => {
    isLost = true;
  };
  client.on("error", lose);
  client.on("end", lose);
  try {
    await client.connect();
    await client.query(`
      begin;
      set local role ${quoteName(role)};
      set local lock_timeout = ${waitMs};
      set local idle_in_transaction_session_timeout = 0;
      lock table turnseal.period in share update exclusive mode`);
  } catch (error) {
    await client.end().catch(() => {});
    const isTaken = error instanceof Error && "code" in error && error.code === "55P03";
    throw isTaken ? toHeldError(TAKEN) : toStoreError(error);
  }
  const check = (): void => {
    if (isLost) throw toHeldError("the connection that kept others from archiving is gone");
  };
  return {
    check,
    prove: async () => {
      // An answer on this connection: the lock is held as long as its transaction is.
      await client.query("select").catch(lose);
      check();
    },
    release: () => client.end(),
  };
}

function toHeldError(message: string): StoreError {
  return new StoreError("STORE_UNREACHABLE", message);
}
