/** How much the tables of a database hold, as the server says. */
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";

export interface TableSizes {
  /** Bytes by table, with indexes and what is kept out of line. */
  readonly bytes: ReadonlyMap<string, number>;
  readonly rows: ReadonlyMap<string, number>;
  /** Updates of snapshots, and how many of them touched no index. */
  readonly updates: number;
  readonly hotUpdates: number;
  /** Where the write-ahead log stands. */
  readonly walBytes: number;
}

/** Connections hand in what they counted after a second of quiet. */
const SETTLE_MS = 1_500;

export async function measureTables(url: string): Promise<TableSizes> {
  await sleep(SETTLE_MS);
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    const { rows: wal } = await client.query(
      "select pg_wal_lsn_diff(pg_current_wal_insert_lsn(), '0/0') as bytes",
    );
    const { rows: sizes } = await client.query(`
      select coalesce(parent.relname, part.relname) as name,
             sum(pg_total_relation_size(part.oid)) as bytes
        from pg_class as part
        left join pg_inherits on inhrelid = part.oid
        left join pg_class as parent on parent.oid = inhparent
       where part.relnamespace = 'turnseal'::regnamespace and part.relkind = 'r'
       group by 1`);
    const { rows: counters } = await client.query(`
      select sum(n_tup_upd) as updates, sum(n_tup_hot_upd) as hot
        from pg_stat_user_tables where schemaname = 'turnseal' and relname like 'run_p%'`);
    const rows = new Map<string, number>();
    for (const { name } of sizes) {
      const { rows: counted } = await client.query(`select count(*) from turnseal."${name}"`);
      rows.set(name, Number(counted[0]?.count));
    }
    return {
      bytes: new Map(sizes.map(({ name, bytes }) => [String(name), Number(bytes)])),
      rows,
      updates: Number(counters[0]?.updates),
      hotUpdates: Number(counters[0]?.hot),
      walBytes: Number(wal[0]?.bytes),
    };
  } finally {
    await client.end();
  }
}
