/**
 * The pauses, for operators: under the owner's role, which alone may change them. Workers see a
 * change within seconds.
 */
import { PAUSE_BECAUSE_LENGTH_MAX, type Pause } from "@turnseal/protocol";
import { renderDoer } from "./audit-book.ts";
import { openConnections, type Statement } from "./open-database.ts";
import { openChecked } from "./postgres-pool.ts";
import { type Roles, rolesOf } from "./roles.ts";
import { listPauses, PAUSES_MAX, toPause } from "./statements/list-pauses.ts";
import { listReleases, type RegisteredRelease } from "./statements/list-releases.ts";
import { readTenant } from "./statements/read-tenant.ts";

export interface PauseBookOptions {
  readonly url: string;
  readonly roles?: Partial<Roles>;
}

/** The target of a pause. */
export type PauseTarget = Pick<Pause, "scope" | "name">;

export type PutPause =
  | { readonly kind: "paused"; readonly pause: Pause }
  /** It was paused before, and is as it was. */
  | { readonly kind: "known"; readonly pause: Pause }
  /** There are PAUSES_MAX already. */
  | { readonly kind: "full" };

export interface PauseBook {
  list(): Promise<readonly Pause[]>;
  put(pause: Omit<Pause, "since">): Promise<PutPause>;
  /** The pause that was lifted; undefined where there was none. */
  lift(target: PauseTarget, by: string): Promise<Pause | undefined>;
  /** The deployed releases, to check the name in a pause. */
  listReleases(): Promise<readonly RegisteredRelease[]>;
  hasTenant(name: string): Promise<boolean>;
  close(): Promise<void>;
}

const CONNECTIONS_MAX = 2;

export async function openPauseBook({ url, roles }: PauseBookOptions): Promise<PauseBook> {
  const role = rolesOf(url, roles).owner;
  const connections = openConnections({ url, connectionsMax: CONNECTIONS_MAX });
  return openChecked({ connections, role, migrated: "whole" }, async (db) => ({
    list: () => listPauses(db),
    put: async ({ scope, name, because, by }) => {
      if (because === "" || because.length > PAUSE_BECAUSE_LENGTH_MAX)
        throw new RangeError(`a reason has 1 to ${PAUSE_BECAUSE_LENGTH_MAX} characters`);
      const [row] = await db.query(putStatement, [scope, name, because, by]);
      if (row !== undefined) return { kind: "paused", pause: toPause(row) };
      const known = (await listPauses(db)).find(
        (pause) => pause.scope === scope && pause.name === name,
      );
      return known === undefined ? { kind: "full" } : { kind: "known", pause: known };
    },
    lift: async ({ scope, name }, by) => {
      const [row] = await db.query(liftStatement, [scope, name, by]);
      return row === undefined ? undefined : toPause(row);
    },
    listReleases: () => listReleases(db),
    hasTenant: async (name) => (await readTenant(db, name)) !== undefined,
    close: () => connections.close(),
  }));
}

const putStatement: Statement = {
  name: "put-pause",
  reach: "tenant",
  text: `
    insert into turnseal.pause (scope, name, because, paused_by)
    select $1, $2, $3, $4
     where (select count(*) from turnseal.pause) < ${PAUSES_MAX}
    on conflict (scope, name) do nothing
    returning scope, name, because, paused_by, since`,
};

const liftStatement: Statement = {
  name: "lift-pause",
  reach: "tenant",
  text: `
    delete from turnseal.pause
     where scope = $1 and name = $2 and ${renderDoer("$3", "'lifted'")}
    returning scope, name, because, paused_by, since`,
};
