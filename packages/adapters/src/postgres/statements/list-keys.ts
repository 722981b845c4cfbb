import { StoreError } from "@turnseal/ports";
import { ISSUERS, type PublicKey } from "@turnseal/protocol/receipts";
import { type Row, readMoment, readText } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";

/** How many keys of a tenant, or of workers, are listed at most: the database refuses more. */
export const NOTED_KEYS_MAX = 500;

export const KEY_COLUMNS =
  "tenant, key_id, x, issuer, valid_from, valid_until, noted_at, noted_by, state, decided_at, decided_by";

export const listKeysStatement: Statement = {
  name: "list-keys",
  reach: "tenant",
  text: `
    (select ${KEY_COLUMNS} from turnseal.signing_key where tenant = ''
      order by key_id limit ${NOTED_KEYS_MAX})
    union all
    (select ${KEY_COLUMNS} from turnseal.signing_key where tenant = $1 and tenant <> ''
      order by key_id limit ${NOTED_KEYS_MAX})`,
};

const states = ["noted", "trusted", "distrusted"] as const;

/** A key that a worker's login noted, with the decision about it. */
export interface NotedKey extends PublicKey {
  /** Whose runs it is good for; null where it is a worker's own, and good for those of all. */
  readonly tenant: string | null;
  readonly state: (typeof states)[number];
  readonly notedAt: string;
  readonly notedBy: string;
  readonly decidedAt: string | null;
  readonly decidedBy: string | null;
}

/** Keys of workers, and of the tenant that was entered. */
export async function listKeys(db: Database): Promise<readonly NotedKey[]> {
  return (await db.query(listKeysStatement, [db.tenant])).map(toNotedKey);
}

export function toNotedKey(row: Row): NotedKey {
  const [issuerSaid, stateSaid] = [readText(row, "issuer"), readText(row, "state")];
  const issuer = ISSUERS.find((each) => each === issuerSaid);
  const state = states.find((each) => each === stateSaid);
  if (issuer === undefined || state === undefined)
    throw new StoreError("STORE_CORRUPT", "a key holds what is unknown");
  return {
    tenant: readText(row, "tenant") || null,
    keyId: readText(row, "key_id"),
    x: readText(row, "x"),
    issuer,
    validFrom: readMoment(row, "valid_from"),
    ...(row["valid_until"] === null ? {} : { validUntil: readMoment(row, "valid_until") }),
    state,
    notedAt: readMoment(row, "noted_at"),
    notedBy: readText(row, "noted_by"),
    decidedAt: row["decided_at"] === null ? null : readMoment(row, "decided_at"),
    decidedBy: row["decided_by"] === null ? null : readText(row, "decided_by"),
  };
}
