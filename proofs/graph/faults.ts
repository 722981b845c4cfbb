/**
 * A database that fails at a chosen write of a row, before it or after it. Triggers in the database
 * itself count the writes of a transaction, so that the store's code is the real one.
 */
import { DatabaseSync } from "node:sqlite";
import pg from "pg";

export interface Faults {
  /** How the database can fail so that an append is refused. */
  readonly refusing: readonly string[];
  /** How it can fail so that the store asks again by itself, where there is such a way. */
  readonly ending?: string;
  /** From now on it fails at the write with this number, counted from one. */
  arm(at: number, kind: string): Promise<void>;
  disarm(): Promise<void>;
  close(): Promise<void>;
}

const EVENTS = ["insert", "update", "delete"] as const;
const TIMES = ["before", "after"] as const;

/**
 * Undoes a statement, or the whole transaction. The count is undone with it, so that it fails at
 * every try.
 */
export async function sqliteFaults(file: string): Promise<Faults> {
  const db = new DatabaseSync(file);
  db.exec("pragma busy_timeout = 10000");
  const rows = db.prepare("select name from sqlite_master where type = 'table'").all();
  const tables = rows.map(({ name }) => String(name)).filter((name) => !name.startsWith("sqlite_"));
  db.exec("create table proof_fault (left integer not null, kind text not null) strict");
  db.exec("insert into proof_fault values (0, '')");
  for (const table of tables)
    for (const time of TIMES)
      for (const event of EVENTS)
        db.exec(`
          create trigger proof_${time}_${event}_${table} ${time} ${event} on "${table}" begin
            update proof_fault set left = left - 1;
            select raise(abort, 'injected') from proof_fault where left = 0 and kind = 'statement';
            select raise(rollback, 'injected') from proof_fault
             where left = 0 and kind = 'transaction';
          end`);
  const arm = db.prepare("update proof_fault set left = ?, kind = ?");
  return {
    refusing: ["statement", "transaction"],
    arm: async (at, kind) => void arm.run(at, kind),
    disarm: async () => void arm.run(0, ""),
    close: async () => db.close(),
  };
}

/** A statement is undone, or the server's process of the connection ends in the middle of it. */
export async function postgresFaults(url: string): Promise<Faults> {
  const session = new pg.Client({ connectionString: url });
  await session.connect();
  await session.query(`
    create schema proof;
    create table proof.fault (at bigint not null, kind text not null);
    insert into proof.fault values (0, '');
    create sequence proof.writes;
    create function proof.count_write() returns trigger language plpgsql security definer as $$
    declare
      fault proof.fault;
    begin
      select * into fault from proof.fault;
      if nextval('proof.writes') = fault.at then
        if fault.kind = 'connection' then
          perform pg_terminate_backend(pg_backend_pid());
          perform pg_sleep(60);
        end if;
        raise exception 'injected';
      end if;
      return coalesce(new, old);
    end $$`);
  const { rows } = await session.query<{ name: string }>(`
    select relname as name from pg_class
     where relnamespace = 'turnseal'::regnamespace and relkind in ('r', 'p')
       and not relispartition`);
  for (const { name } of rows)
    for (const time of TIMES)
      await session.query(`
        create trigger proof_${time} ${time} insert or update or delete on turnseal."${name}"
          for each row execute function proof.count_write()`);
  const arm = async (at: number, kind: string): Promise<void> => {
    await session.query("update proof.fault set at = $1, kind = $2", [at, kind]);
    await session.query("select setval('proof.writes', 1, false)");
  };
  return {
    ...{ refusing: ["statement"], ending: "connection" },
    arm,
    disarm: () => arm(0, ""),
    close: () => session.end(),
  };
}
