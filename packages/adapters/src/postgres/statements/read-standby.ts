import { readFlag, readInteger, readText } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";

export const readStandbyStatement: Statement = {
  name: "read-standby",
  reach: "tenant",
  text: `
    select current_setting('synchronous_commit') as commit,
           current_setting('synchronous_standby_names') as names,
           current_setting('fsync') as fsync,
           pg_has_role(current_user, 'pg_read_all_stats', 'usage') as can_see,
           (select count(*) from pg_stat_replication
             where sync_state in ('sync', 'quorum')) as synchronous`,
};

/** The server's facts about the durability of a commit. */
export interface StandbyFacts {
  readonly commit: string;
  readonly names: string;
  readonly fsync: string;
  /** True when this role is shown the states of standbys. */
  readonly canSee: boolean;
  /** Standbys that are connected and that a commit waits for. */
  readonly synchronous: number;
}

export async function readStandby(db: Database): Promise<StandbyFacts> {
  const [row] = await db.query(readStandbyStatement, []);
  return {
    commit: readText(row, "commit"),
    names: readText(row, "names"),
    fsync: readText(row, "fsync"),
    canSee: readFlag(row, "can_see"),
    synchronous: readInteger(row, "synchronous"),
  };
}
