/**
 * Lets one archive at a time. Two would write the same file: what one has noted, the other would
 * exchange for what it had read before, or take away.
 */
import { StoreError } from "@turnseal/ports";
import pg from "pg";
import { CONNECT_MS_MAX } from "./open-database.ts";
import { quoteName } from "./roles.ts";
import { toStoreError } from "./to-store-error.ts";

export interface ArchivingHold {
  /** Throws where it is held no more: another may archive by now. */
  check(): void;
  release(): Promise<void>;
}

export interface HoldOptions {
  readonly url: string;
  readonly role: string;
  /** How long it is waited for: whoever was killed a moment ago may hold it still. */
  readonly waitMs: number;
}

/**
 * Holds it by a connection of its own, and so no longer than this process lives. The lock keeps
 * nobody from reading or changing rows, and only the owner can take it.
 */
export async function holdArchiving({ url, role, waitMs }: HoldOptions): Promise<ArchivingHold> {
  const client = new pg.Client({
    ...{ connectionString: url, application_name: "turnseal archive", keepAlive: true },
    connectionTimeoutMillis: CONNECT_MS_MAX,
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
    throw isTaken ? toHeldError("another process archives this database") : toStoreError(error);
  }
  return {
    check: () => {
      if (isLost) throw toHeldError("the connection that kept others from archiving is gone");
    },
    release: () => client.end(),
  };
}

function toHeldError(message: string): StoreError {
  return new StoreError("STORE_UNREACHABLE", message);
}
