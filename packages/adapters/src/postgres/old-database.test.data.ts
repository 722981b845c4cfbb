/** Databases as an older program made them: with its migrations, and none after. */
import { randomUUID } from "node:crypto";
import { checksumOf, migratePostgres } from "./migrate.ts";
import { MIGRATIONS } from "./migrations/migrations.ts";
import {
  askServer,
  connect,
  type Session,
  TEST_ROLES,
  urlOf,
} from "./scratch-database.test.data.ts";

export interface OldDatabase {
  readonly url: string;
  /** As the owner of the tables. */
  readonly session: Session;
  drop(): Promise<void>;
}

/** A database that knows the first migrations. */
export async function createOldDatabase(known: number): Promise<OldDatabase> {
  const name = `turnseal_test_${randomUUID().replaceAll("-", "")}`;
  await askServer((session) => session.query(`create database ${name} template template0`));
  const url = urlOf(name);
  // The roles belong to the whole server: the first test makes them.
  await migratePostgres({ url, roles: TEST_ROLES });
  const session = await connect(url);
  await session.query("drop schema turnseal cascade");
  await session.query(`create schema turnseal authorization ${TEST_ROLES.owner}`);
  await session.query(`set role ${TEST_ROLES.owner}`);
  await session.query(`
    create table turnseal.migration (number integer primary key, name text not null,
      checksum text not null, applied_at timestamptz not null default now(), oldest integer)`);
  for (const migration of MIGRATIONS.slice(0, known)) {
    const { number, oldest } = migration;
    await session.query(migration.sql);
    await session.query(
      `insert into turnseal.migration
       values (${number}, '${migration.name}', '${checksumOf(migration)}', now(), ${oldest})`,
    );
  }
  return {
    url,
    session,
    drop: async () => {
      await session.close();
      await askServer((admin) => admin.query(`drop database ${name} with (force)`));
    },
  };
}
