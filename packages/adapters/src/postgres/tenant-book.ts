/**
 * The tenants, for operators: under the owner's role, which alone may change them. Workers see a
 * change within seconds.
 */
import { renderDoer } from "./audit-book.ts";
import { deleteTenant, hasUnfinished, type TenantDeleted } from "./delete-tenant.ts";
import { type ArchivingHold, holdArchiving } from "./hold-archiving.ts";
import { checkTenant, openConnections, type Statement } from "./open-database.ts";
import { openChecked } from "./postgres-pool.ts";
import { type Roles, rolesOf } from "./roles.ts";
import { listArchivePlaces } from "./statements/list-archive-places.ts";
import {
  type RegisteredTenant,
  readTenant,
  type StoredTenant,
  toTenant,
} from "./statements/read-tenant.ts";
import { parseTenantLimits, type TenantLimits } from "./tenant-limits.ts";

export interface TenantBookOptions {
  readonly url: string;
  readonly roles?: Partial<Roles>;
}

/** The changed fields: absent ones stay as they are. */
export interface TenantChange {
  readonly state?: RegisteredTenant["state"];
  readonly weight?: number;
  readonly limits?: TenantLimits;
}

/** `known`: there is one. `left`: rows of a deleted one are there, which nobody else may have. */
export type TenantAdded = "added" | "known" | "left";

export interface TenantBook {
  /** Tenants in the order of their names, at most TENANTS_LIST_MAX after one. */
  list(after?: string): Promise<readonly StoredTenant[]>;
  read(name: string): Promise<StoredTenant | undefined>;
  /** Adds a tenant, unless the name is taken, or a delete has left rows. */
  add(name: string, by: string): Promise<TenantAdded>;
  /** The changed tenant; undefined where there is none of that name. */
  change(name: string, change: TenantChange, by: string): Promise<StoredTenant | undefined>;
  /** True where a run of it has not ended. */
  hasUnfinished(name: string): Promise<boolean>;
  /** Takes it out of the book: nobody serves it any more within seconds. Its rows stay. */
  remove(name: string, by: string): Promise<void>;
  /** Keeps everybody from archiving; rejects where somebody does. */
  holdArchiving(): Promise<ArchivingHold>;
  /** The places of archives that may have runs of it. */
  listArchives(name: string): Promise<readonly string[]>;
  /**
   * Deletes its rows, except for those that name its archives, and returns their number. It may be
   * called again.
   */
  deleteRows(name: string, onDeleted: (deleted: TenantDeleted) => void): Promise<number>;
  /** Deletes the places of its archives, when they are empty of it. */
  forgetArchives(name: string): Promise<void>;
  close(): Promise<void>;
}

/** How many tenants one page has. */
export const TENANTS_LIST_MAX = 1_000;
const CONNECTIONS_MAX = 2;

export async function openTenantBook({ url, roles }: TenantBookOptions): Promise<TenantBook> {
  const role = rolesOf(url, roles).owner;
  const connections = openConnections({ url, connectionsMax: CONNECTIONS_MAX });
  return openChecked({ connections, role, migrated: "whole" }, async (db) => ({
    list: async (after = "") => (await db.query(listStatement, [after])).map(toTenant),
    read: (name) => readTenant(db, name),
    add: async (name, by) => {
      const [row] = await db.query(addStatement, [checkTenant(name), by]);
      if (row !== undefined) return "added";
      return (await readTenant(db, name)) === undefined ? "left" : "known";
    },
    change: async (name, { state, weight, limits }, by) => {
      if (limits !== undefined && parseTenantLimits(limits) === undefined)
        throw new RangeError("a limit of a tenant is a whole number of at least one");
      const said = limits === undefined ? null : JSON.stringify(limits);
      const values = [name, state ?? null, weight ?? null, said, by];
      const [row] = await db.query(changeStatement, values);
      return row === undefined ? undefined : toTenant(row);
    },
    hasUnfinished: (name) => hasUnfinished(db, name),
    remove: async (name, by) => {
      await db.query(removeStatement, [name, by]);
    },
    holdArchiving: () => holdArchiving({ url, role }),
    listArchives: (name) => listArchivePlaces(db, name),
    deleteRows: async (name, onDeleted) => deleteTenant(db, checkTenant(name), onDeleted),
    forgetArchives: async (name) => {
      await db.query(forgetStatement, [checkTenant(name)]);
    },
    close: () => connections.close(),
  }));
}

const listStatement: Statement = {
  name: "list-tenants-of-book",
  reach: "tenant",
  text: `
    select name, state, weight, limits, changed_at, changed_by
      from turnseal.tenant where name > $1 order by name limit ${TENANTS_LIST_MAX}`,
};

const addStatement: Statement = {
  name: "add-tenant",
  reach: "tenant",
  // A tenant that was never in the book may have rows: a worker serves its configured tenants.
  text: `
    insert into turnseal.tenant (name, changed_by) select $1, $2
     where not (
       'removed' = coalesce((
         select deed from turnseal.audit
          where kind = 'tenant' and name = $1 order by number desc limit 1), '')
       and (exists (select from turnseal.head where tenant = $1)
         or exists (select from turnseal.archive_place where tenant = $1)))
    on conflict (name) do nothing returning name`,
};

const changeStatement: Statement = {
  name: "change-tenant",
  reach: "tenant",
  // Places that were taken at another pace are nobody's.
  text: `
    with pace as (
      delete from turnseal.tenant_pace where tenant = $1 and $4::json is not null)
    update turnseal.tenant
       set state = coalesce($2, state), weight = coalesce($3, weight),
           limits = coalesce($4, limits), changed_at = now(), changed_by = $5
     where name = $1
    returning name, state, weight, limits, changed_at, changed_by`,
};

const removeStatement: Statement = {
  name: "remove-tenant",
  reach: "tenant",
  text: `delete from turnseal.tenant where name = $1 and ${renderDoer("$2", "'removed'")}`,
};

const forgetStatement: Statement = {
  name: "forget-archives",
  reach: "tenant",
  text: "delete from turnseal.archive_place where tenant = $1",
};
