/** The log of the deployment, for operators: under the owner's role. */
import type { JsonObject } from "@turnseal/protocol";
import { type Row, readFlag, readInteger, readMoment, readObject, readText } from "./columns.ts";
import { openConnections, type Statement } from "./open-database.ts";
import { openChecked } from "./postgres-pool.ts";
import { type Roles, rolesOf } from "./roles.ts";

/** How many entries are read at once, at most. */
export const AUDIT_PAGE_MAX = 1_000;

/** Something that was done to the deployment. */
export interface AuditEntry {
  readonly number: number;
  readonly at: string;
  /** The login at the database. */
  readonly login: string;
  /** The name that the person gave, if they did. */
  readonly person: string | null;
  readonly kind: string;
  readonly name: string;
  readonly deed: string;
  readonly facts: JsonObject;
  /** False where it is not what was written, or does not follow the one before. */
  readonly isWhole: boolean;
}

export interface AuditBookOptions {
  readonly url: string;
  readonly roles?: Partial<Roles>;
}

export interface AuditPlace {
  /** The number of the last entry that was read. */
  readonly after?: number;
  /** ISO 8601. */
  readonly since?: string;
  readonly limit?: number;
}

export interface AuditBook {
  /** In the order in which it was done; AUDIT_PAGE_MAX entries at most. */
  list(place?: AuditPlace): Promise<readonly AuditEntry[]>;
  close(): Promise<void>;
}

export async function openAuditBook({ url, roles }: AuditBookOptions): Promise<AuditBook> {
  const role = rolesOf(url, roles).owner;
  const connections = openConnections({ url, connectionsMax: 1 });
  return openChecked({ connections, role, migrated: "whole" }, async (db) => ({
    list: async ({ after = 0, since = "-infinity", limit = AUDIT_PAGE_MAX } = {}) => {
      const rows = await db.query(listStatement, [after, since, Math.min(limit, AUDIT_PAGE_MAX)]);
      return rows.map(toEntry);
    },
    close: () => connections.close(),
  }));
}

const listStatement: Statement = {
  name: "list-audit",
  reach: "tenant",
  text: `
    select number, at, login, person, kind, name, deed, facts,
           hash = turnseal.audit_hash(audit) and previous = coalesce(
             (select before.hash from turnseal.audit as before
               where before.number = audit.number - 1), '') as is_whole
      from turnseal.audit as audit
     where number > $1 and at >= $2 order by number limit $3`,
};

function toEntry(row: Row): AuditEntry {
  return {
    number: readInteger(row, "number"),
    at: readMoment(row, "at"),
    login: readText(row, "login"),
    person: row["person"] === null ? null : readText(row, "person"),
    kind: readText(row, "kind"),
    name: readText(row, "name"),
    deed: readText(row, "deed"),
    facts: readObject(row, "facts"),
    isWhole: readFlag(row, "is_whole"),
  };
}

/** A condition that is always true, and gives the log the person and the name of the change. */
export function renderDoer(person: string, deed: string): string {
  return `set_config('turnseal.person', ${person}, true) is not null
           and set_config('turnseal.deed', ${deed}, true) is not null`;
}
