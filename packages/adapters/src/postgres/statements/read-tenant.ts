import { type Row, readInteger, readMoment, readText } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";
import { parseTenantLimits, type TenantLimits } from "../tenant-limits.ts";

export const readTenantStatement: Statement = {
  name: "read-tenant",
  reach: "tenant",
  text: `
    select name, state, weight, limits, changed_at, changed_by
      from turnseal.tenant where name = $1`,
};

/** A tenant. */
export interface RegisteredTenant {
  readonly name: string;
  /** Runs of a suspended tenant do not advance: their timers stay, and their messages are kept. */
  readonly state: "active" | "suspended";
  /** Its share of what all use, beside those of the others. */
  readonly weight: number;
  readonly limits: TenantLimits;
  readonly changedAt: string;
  readonly changedBy: string;
}

/** A tenant whose limits or state this program does not know: its runs do not advance. */
interface UnreadableTenant {
  readonly name: string;
  readonly state: "unreadable";
  readonly changedAt: string;
  readonly changedBy: string;
}

export type StoredTenant = RegisteredTenant | UnreadableTenant;

export async function readTenant(db: Database, name: string): Promise<StoredTenant | undefined> {
  const [row] = await db.query(readTenantStatement, [name]);
  return row === undefined ? undefined : toTenant(row);
}

/** A limit that is not understood is no limit that may be left out. */
export function toTenant(row: Row): StoredTenant {
  const limits = parseTenantLimits(row["limits"]);
  const state = readText(row, "state");
  const changedAt = readMoment(row, "changed_at");
  const known = { name: readText(row, "name"), changedAt, changedBy: readText(row, "changed_by") };
  if (limits === undefined || (state !== "active" && state !== "suspended"))
    return { ...known, state: "unreadable" };
  return { ...known, state, weight: readInteger(row, "weight"), limits };
}
