import { StoreError } from "@turnseal/ports";
import type { PublicKey } from "@turnseal/protocol/receipts";
import { readText } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";

export const noteKeyStatement: Statement = {
  name: "note-key",
  reach: "tenant",
  text: `
    select turnseal.note_key($1, $2, $3, $4, $5::timestamptz, $6::timestamptz) as answer`,
};

const answers = ["noted", "known", "other", "full"] as const;

/**
 * The result of a note. Other: the key is listed with another issuer or other times, and stays as
 * it is. Full: there are too many keys of that tenant, or of workers.
 */
export type KeyNoted = (typeof answers)[number];

/** Lists a key for the tenant that was entered, or for all. */
export async function noteKey(db: Database, key: PublicKey): Promise<KeyNoted> {
  const { keyId, issuer, validFrom, validUntil = null } = key;
  const values = [db.tenant, keyId, key.x, issuer, validFrom, validUntil];
  const [row] = await db.query(noteKeyStatement, values);
  const said = readText(row, "answer");
  const answer = answers.find((each) => each === said);
  if (answer === undefined) throw new StoreError("STORE_CORRUPT", "a note is answered otherwise");
  return answer;
}
