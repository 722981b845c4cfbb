/**
 * Brings a database to the schema of this version. It runs by itself, before any worker, under a
 * role that may create others or that is a member of the owner's.
 *
 * 1. One transaction under one lock: a concurrent process waits, and finds it done.
 * 2. An applied migration must keep its checksum: an edited schema is refused. So is one of a later
 *    version, except for one migration ahead that declares that this program can work with it.
 */
import { createHash } from "node:crypto";
import { StoreError } from "@turnseal/ports";
import pg from "pg";
import { canLiveWith, describeAhead } from "../later-schema.ts";
import { MIGRATIONS, type Migration } from "./migrations/migrations.ts";
import { CONNECT_MS_MAX } from "./open-database.ts";
import { quoteName, type Roles, renderGrants, rolesOf } from "./roles.ts";
import { type AppliedMigration, readMigrationsStatement } from "./statements/read-migrations.ts";
import { toStoreError } from "./to-store-error.ts";

export interface MigrateOptions {
  readonly url: string;
  readonly roles?: Partial<Roles>;
}

export interface Migrated {
  readonly roles: Roles;
  /** The numbers of the migrations that were applied now. */
  readonly applied: readonly number[];
}

/** The name of our lock, which is of the database: "turnseal" in ASCII. */
const lockKey = "8391451956706173292";

/** The lock decides who creates an object; a role may come from another database. */
const duplicates: ReadonlySet<unknown> = new Set(["42710", "23505"]);

export function checksumOf({ sql }: Migration): string {
  return createHash("sha256").update(sql).digest("hex");
}

export async function migratePostgres(options: MigrateOptions): Promise<Migrated> {
  const roles = rolesOf(options.url, options.roles);
  const client = new pg.Client({
    connectionString: options.url,
    application_name: "turnseal",
    connectionTimeoutMillis: CONNECT_MS_MAX,
  });
  try {
    await client.connect();
    for (const role of Object.values(roles)) await createRole(client, role);
    await joinOwner(client, roles.owner);
    await client.query("begin");
    await client.query(`select pg_advisory_xact_lock(${lockKey})`);
    const applied = await applyMigrations(client, roles);
    await client.query("commit");
    return { roles, applied };
  } catch (error) {
    throw toStoreError(error);
  } finally {
    await client.end();
  }
}

/** The used part of a connection. */
interface Session {
  query(text: string, values?: unknown[]): Promise<{ readonly rows: readonly unknown[] }>;
}

async function createRole(session: Session, role: string): Promise<void> {
  const { rows } = await session.query("select from pg_roles where rolname = $1", [role]);
  if (rows.length > 0) return;
  try {
    await session.query(`create role ${quoteName(role)} nologin`);
  } catch (error) {
    const isThere = error instanceof Error && "code" in error && duplicates.has(error.code);
    if (!isThere) throw error;
  }
}

/** The creator of a role is not a member of it yet. */
async function joinOwner(session: Session, owner: string): Promise<void> {
  const sql = "select pg_has_role(current_user, $1, 'member') as is_member";
  const [row] = (await session.query(sql, [owner])).rows as { readonly is_member: boolean }[];
  if (row?.is_member !== true) await session.query(`grant ${quoteName(owner)} to current_user`);
}

async function applyMigrations(session: Session, roles: Roles): Promise<readonly number[]> {
  const owner = quoteName(roles.owner);
  await session.query(`create schema if not exists turnseal authorization ${owner}`);
  await session.query(`set local role ${owner}`);
  await session.query(`
    create table if not exists turnseal.migration (
      number integer primary key,
      name text not null,
      checksum text not null,
      applied_at timestamptz not null default now()
    )`);
  await session.query("alter table turnseal.migration add column if not exists oldest integer");
  const { rows } = await session.query(readMigrationsStatement.text);
  const known = rows as readonly AppliedMigration[];
  checkMigrations(known, MIGRATIONS);
  const missing = MIGRATIONS.slice(known.length);
  for (const migration of missing) {
    const { number, name, sql, oldest } = migration;
    await session.query(sql);
    await session.query(
      "insert into turnseal.migration (number, name, checksum, oldest) values ($1, $2, $3, $4)",
      [number, name, checksumOf(migration), oldest],
    );
  }
  await session.query(renderGrants(roles));
  return missing.map(({ number }) => number);
}

/** Throws when the database has migrations that this program cannot live with, or other ones. */
export function checkMigrations(
  applied: readonly AppliedMigration[],
  migrations: readonly Migration[],
): void {
  for (const { number, checksum, oldest } of applied) {
    const migration = migrations[number - 1];
    if (migration === undefined && canLiveWith({ number, oldest }, migrations.length)) continue;
    if (migration === undefined)
      throw unknownFormat(describeAhead({ number, oldest }, migrations.length));
    if (checksumOf(migration) !== checksum)
      throw unknownFormat(`has another migration ${number} than this program`);
  }
}

/** Throws when a migration of this program was not applied. */
export function checkComplete(
  applied: readonly AppliedMigration[],
  migrations: readonly Migration[],
): void {
  if (applied.length < migrations.length)
    throw unknownFormat(`has ${applied.length} of ${migrations.length} migrations`);
}

function unknownFormat(what: string): StoreError {
  return new StoreError("STORE_FORMAT_UNKNOWN", `the database ${what}`);
}
