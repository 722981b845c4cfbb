import { readBytes } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";
import { retryClash } from "../retry-clash.ts";

export const keepCacheKeyStatement: Statement = {
  name: "keep-cache-key",
  reach: "tenant",
  text: `
    with known as (
      select key from turnseal.cache_key where tenant = $1),
    kept as (
      insert into turnseal.cache_key (tenant, key)
      select $1, $2 where not exists (select from known)
      returning key)
    select key from known union all select key from kept`,
};

/** The key under which the tenant names its calls. */
export async function keepCacheKey(db: Database, key: Uint8Array): Promise<Uint8Array> {
  const ask = () => db.query(keepCacheKeyStatement, [db.tenant, key]);
  const [row] = await retryClash(["cache_key"], ask);
  return readBytes(row, "key");
}
