import pg from "pg";
import { CONNECT_MS_MAX } from "./open-database.ts";
import { quoteName } from "./roles.ts";
import { toStoreError } from "./to-store-error.ts";

/** The server's error code for a missing database. */
const missing = "3D000";
/** Its codes for a database that another process created, or is creating now. */
const present: ReadonlySet<unknown> = new Set(["42P04", "23505"]);

/** Makes the database that an address names if it is not there: for development, never migrated. */
export async function createPostgresDatabase(url: string): Promise<"created" | "present"> {
  const name = decodeURIComponent(new URL(url).pathname.slice(1));
  const found = await ask(url, "select 1").catch((error: unknown) => {
    if (codeOf(error) === missing) return undefined;
    throw toStoreError(error);
  });
  if (found !== undefined) return "present";
  const server = new URL(url);
  server.pathname = "/postgres";
  try {
    await ask(server.href, `create database ${quoteName(name)}`);
    return "created";
  } catch (error) {
    if (present.has(codeOf(error))) return "present";
    throw toStoreError(error);
  }
}

async function ask(url: string, sql: string): Promise<"done"> {
  const client = new pg.Client({
    connectionString: url,
    application_name: "turnseal",
    connectionTimeoutMillis: CONNECT_MS_MAX,
  });
  try {
    await client.connect();
    await client.query(sql);
    return "done";
  } finally {
    await client.end();
  }
}

function codeOf(error: unknown): unknown {
  return error instanceof Error && "code" in error ? error.code : undefined;
}
