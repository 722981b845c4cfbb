/**
 * Databases for tests: each test file has its own, cloned from a template that is migrated once.
 *
 * The server of TURNSEAL_TEST_POSTGRES_URL, with a superuser's login. Tests never stop it, and
 * change only roles and databases with our names.
 */
import { createHash, randomUUID } from "node:crypto";
import pg from "pg";
import { migratePostgres } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/migrations.ts";
import { openPostgresStores, type PostgresOptions, type PostgresStores } from "./postgres-pool.ts";
import { type Roles, renderGrants } from "./roles.ts";

export const SERVER_URL =
  process.env["TURNSEAL_TEST_POSTGRES_URL"] ?? "postgres://postgres@127.0.0.1:5432/postgres";

export const TEST_ROLES: Roles = {
  owner: "turnseal_test_owner",
  worker: "turnseal_test_worker",
  reader: "turnseal_test_reader",
};

/** Anything that only tests ask, as the superuser or under a role. */
export interface Session {
  query(text: string, values?: readonly unknown[]): Promise<readonly Record<string, unknown>[]>;
  close(): Promise<void>;
}

export interface Scratch {
  readonly url: string;
  /** Stores of a tenant, by default of one of its own. */
  open(options?: Partial<PostgresOptions>): Promise<PostgresStores>;
  /** A connection with settings such as `role`. */
  connect(settings?: Readonly<Record<string, string>>): Promise<Session>;
  /** Closes everything that was opened here, and drops the database. */
  drop(): Promise<void>;
}

export async function createScratch(): Promise<Scratch> {
  const name = `turnseal_test_${randomUUID().replaceAll("-", "")}`;
  const template = await createTemplate();
  await askServer((session) => session.query(`create database ${name} template ${template}`));
  const url = urlOf(name);
  const closing: (() => Promise<void>)[] = [];
  return {
    url,
    open: async (options = {}) => {
      const stores = await openPostgresStores({
        url,
        tenant: `tenant-${randomUUID()}`,
        roles: TEST_ROLES,
        ...options,
      });
      closing.push(() => stores.close());
      return stores;
    },
    connect: async (settings = {}) => {
      const session = await connect(url, settings);
      closing.push(() => session.close());
      return session;
    },
    drop: async () => {
      for (const close of closing.splice(0).reverse()) await close();
      await askServer((session) => session.query(`drop database ${name} with (force)`));
    },
  };
}

export function urlOf(database: string): string {
  const url = new URL(SERVER_URL);
  url.pathname = `/${database}`;
  return url.href;
}

/** Opens a connection of its own and closes it again. */
export async function askServer<Value>(ask: (session: Session) => Promise<Value>): Promise<Value> {
  const session = await connect(SERVER_URL, {}).catch((cause: unknown) => {
    const where = `${new URL(SERVER_URL).host}, or where TURNSEAL_TEST_POSTGRES_URL says`;
    throw new Error(`these tests need a PostgreSQL server at ${where}`, { cause });
  });
  try {
    return await ask(session);
  } finally {
    await session.close();
  }
}

/** A connection to any database of the server. */
export async function connect(
  url: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<Session> {
  const options = Object.entries(settings).map(([name, value]) => `-c ${name}=${value}`);
  // A pooler refuses options, also empty ones.
  const said = options.length === 0 ? {} : { options: options.join(" ") };
  const client = new pg.Client({ connectionString: url, ...said });
  client.on("error", () => {});
  await client.connect();
  let isOpen = true;
  return {
    query: async (text, values = []) => (await client.query(text, [...values])).rows,
    close: async () => {
      if (isOpen) await client.end();
      isOpen = false;
    },
  };
}

/** A migrated database that nobody ever connects to, so that it can be cloned at any time. */
async function createTemplate(): Promise<string> {
  const schema = [...MIGRATIONS.map(({ sql }) => sql), renderGrants(TEST_ROLES)].join("\n");
  const digest = createHash("sha256").update(schema).digest("hex");
  const name = `turnseal_template_${digest.slice(0, 12)}`;
  await askServer(async (session) => {
    await session.query("select pg_advisory_lock(hashtext('turnseal template'))");
    const there = await session.query("select from pg_database where datname = $1", [name]);
    if (there.length > 0) return;
    const unfinished = `${name}_unfinished`;
    await session.query(`drop database if exists ${unfinished} with (force)`);
    await session.query(`create database ${unfinished} template template0`);
    await migratePostgres({ url: urlOf(unfinished), roles: TEST_ROLES });
    await session.query(`alter database ${unfinished} rename to ${name}`);
  });
  return name;
}
