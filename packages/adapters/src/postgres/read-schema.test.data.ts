/**
 * The schema as text, from the catalog: like `pg_dump`, without differences between servers.
 * Partitions are folded into one line, which also says that they are all alike.
 */
import type { Session } from "./scratch-database.test.data.ts";

const columns = `
  select c.relname as table, a.attnum as at,
         format('%s %s%s%s%s', a.attname, format_type(a.atttypid, a.atttypmod),
           coalesce(' collate ' || (
             select collname from pg_collation
              where oid = a.attcollation and collname <> 'default'), ''),
           case when a.attnotnull then ' not null' else '' end,
           coalesce(' default ' || pg_get_expr(d.adbin, d.adrelid), '')) as line
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace and n.nspname = 'turnseal'
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped
    left join pg_attrdef d on d.adrelid = c.oid and d.adnum = a.attnum
   where c.relkind in ('r', 'p') and not c.relispartition
   order by 1, 2`;

const indexes = `
  select t.relname as table, pg_get_indexdef(i.indexrelid) as line
    from pg_index i
    join pg_class t on t.oid = i.indrelid and not t.relispartition
    join pg_namespace n on n.oid = t.relnamespace and n.nspname = 'turnseal'
   order by 1, 2`;

const partitions = `
  select p.relname as table,
         format('%s partitions by %s, each with %s indexes, options %s, row security %s', count(*),
           pg_get_partkeydef(p.oid), min(indexes.count),
           coalesce(min(c.reloptions::text), 'none'), p.relrowsecurity) as line,
         count(distinct (indexes.count, c.reloptions)) as kinds
    from pg_class p
    join pg_namespace n on n.oid = p.relnamespace and n.nspname = 'turnseal'
    join pg_inherits h on h.inhparent = p.oid
    join pg_class c on c.oid = h.inhrelid and c.relkind = 'r'
    cross join lateral (
      select count(*) as count from pg_index where indrelid = c.oid) as indexes
   where p.relkind = 'p'
   group by p.oid, p.relname order by 1`;

const policies = `
  select tablename as table,
         format('policy %s for %s using %s check %s', policyname, cmd, qual, with_check) as line
    from pg_policies where schemaname = 'turnseal' order by 1, 2`;

const grants = `
  select table_name as table,
         format('grant %s to %s', string_agg(what, ', ' order by what), grantee) as line
    from (
      select table_name, grantee, lower(privilege_type) as what
        from information_schema.role_table_grants
       where table_schema = 'turnseal' and grantee = any($1)
      union all
      select table_name, grantee,
             format('%s(%s)', lower(privilege_type),
               string_agg(column_name, ', ' order by column_name))
        from information_schema.column_privileges c
       where table_schema = 'turnseal' and grantee = any($1)
         and not exists (
           select from information_schema.role_table_grants t
            where t.table_schema = c.table_schema and t.table_name = c.table_name
              and t.grantee = c.grantee and t.privilege_type = c.privilege_type)
       group by table_name, grantee, privilege_type) as granted
   group by table_name, grantee order by 1, 2`;

/** The dump, for the roles that are named. */
export async function readSchema(session: Session, roles: readonly string[]): Promise<string> {
  const sections: string[] = [];
  const queries: [string, string, readonly unknown[]][] = [
    ["columns", columns, []],
    ["indexes", indexes, []],
    ["partitions", partitions, []],
    ["policies", policies, []],
    ["grants", grants, [roles]],
  ];
  for (const [title, sql, values] of queries) {
    const rows = await session.query(sql, values);
    const odd = rows.filter(({ kinds = "1" }) => kinds !== "1");
    if (odd.length > 0) throw new Error(`partitions differ: ${JSON.stringify(odd)}`);
    const lines = rows.map((row) => `${String(row["table"])}: ${String(row["line"])}`);
    sections.push([`# ${title}`, ...lines].join("\n"));
  }
  return `${sections.join("\n\n")}\n`;
}
