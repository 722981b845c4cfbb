import type { CacheEntry } from "@turnseal/ports";
import { readBytes, readInteger, readText } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";

export const findCallStatement: Statement = {
  name: "find-call",
  reach: "run",
  text: `
    select run, turn, call, digest, expires_at from turnseal.cached_call
     where tenant = $1 and name = $2 and expires_at > $3`,
};

/** The entry under a name whose time has not come. */
export async function findCall(
  db: Database,
  name: string,
  nowMs: number,
): Promise<CacheEntry | undefined> {
  const values = [db.tenant, Buffer.from(name, "hex"), nowMs];
  const [row] = await db.query(findCallStatement, values);
  if (row === undefined) return undefined;
  const hex = Buffer.from(readBytes(row, "digest")).toString("hex");
  return {
    name,
    from: {
      run: readText(row, "run"),
      turn: readInteger(row, "turn"),
      call: readText(row, "call"),
    },
    digest: `hmac-sha256:${hex}`,
    expiresAtMs: readInteger(row, "expires_at"),
  };
}
