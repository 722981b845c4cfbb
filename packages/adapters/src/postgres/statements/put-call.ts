import type { CacheEntry } from "@turnseal/ports";
import { checkDigest, checkRunId } from "../names.ts";
import type { Database, Statement } from "../open-database.ts";
import { OPEN_RUN } from "../open-run.ts";
import { retryClash } from "../retry-clash.ts";

/** Entries whose time has come that one entry takes the place of. */
export const EXPIRED_BATCH_MAX = 50;

export const putCallStatement: Statement = {
  name: "put-call",
  reach: "run",
  text: `
    with ${OPEN_RUN},
    expired as (
      delete from turnseal.cached_call
       where tenant = $1 and name <> $3 and name = any(array(
         select name from turnseal.cached_call
          where tenant = $1 and expires_at <= $8
          order by expires_at limit ${EXPIRED_BATCH_MAX})))
    insert into turnseal.cached_call (tenant, name, run, turn, call, digest, expires_at)
    select $1, $3, $2, $4, $5, $6, $7 from opened_run where not is_erased
    on conflict (tenant, name) do update
       set run = excluded.run, turn = excluded.turn, call = excluded.call,
           digest = excluded.digest, expires_at = excluded.expires_at`,
};

/** Keeps an entry, unless its run was erased. */
export async function putCall(db: Database, entry: CacheEntry, nowMs: number): Promise<void> {
  const { name, from, digest, expiresAtMs } = entry;
  checkRunId(from.run);
  const named = [db.tenant, from.run, Buffer.from(name, "hex")];
  const values = [...named, from.turn, from.call, checkDigest(digest), expiresAtMs, nowMs];
  await retryClash(["head"], () => db.query(putCallStatement, values));
}
