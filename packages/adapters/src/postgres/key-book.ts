/**
 * The trusted signing keys, for operators: under the owner's role, which alone may decide it.
 * Workers note keys; a note is no trust.
 */
import type { Issuer } from "@turnseal/protocol/receipts";
import { openConnections, type Statement } from "./open-database.ts";
import { openChecked } from "./postgres-pool.ts";
import { type Roles, rolesOf } from "./roles.ts";
import { KEY_COLUMNS, type NotedKey, toNotedKey } from "./statements/list-keys.ts";

export interface KeyBookOptions {
  readonly url: string;
  readonly roles?: Partial<Roles>;
}

/** A key is listed for a tenant, or, with null, for all. */
export type KeyName = Pick<NotedKey, "tenant" | "keyId">;

export interface KeyDecision {
  readonly state: "trusted" | "distrusted";
  readonly by: string;
  /** Absent fields keep their noted values. */
  readonly issuer?: Issuer;
  /** ISO 8601. */
  readonly validFrom?: string;
  /** ISO 8601; null where the key has no end. */
  readonly validUntil?: string | null;
}

export type KeyDecided =
  | { readonly kind: "decided"; readonly key: NotedKey }
  /** The key was not noted there. */
  | { readonly kind: "unknown" }
  /** It would end before it begins. */
  | { readonly kind: "times"; readonly key: NotedKey };

export interface KeyBook {
  /** Every key, those of all first, then by tenant: KEYS_PAGE_MAX after one. */
  list(after?: KeyName): Promise<readonly NotedKey[]>;
  decide(name: KeyName, decision: KeyDecision): Promise<KeyDecided>;
  close(): Promise<void>;
}

/** How many keys are read at once. */
export const KEYS_PAGE_MAX = 1_000;

export async function openKeyBook({ url, roles }: KeyBookOptions): Promise<KeyBook> {
  const role = rolesOf(url, roles).owner;
  const connections = openConnections({ url, connectionsMax: 1 });
  return openChecked({ connections, role, migrated: "whole" }, async (db) => ({
    list: async (after) => {
      const rows = await db.query(pageStatement, [after?.tenant ?? "", after?.keyId ?? ""]);
      return rows.map(toNotedKey);
    },
    decide: async ({ tenant, keyId }, decision) => {
      const [found] = await db.query(findStatement, [tenant ?? "", keyId]);
      if (found === undefined) return { kind: "unknown" };
      const noted = toNotedKey(found);
      const { state, by, issuer = noted.issuer, validFrom = noted.validFrom } = decision;
      const { validUntil = noted.validUntil ?? null } = decision;
      if (validUntil !== null && validUntil < validFrom) return { kind: "times", key: noted };
      const [row] = await db.query(decideStatement, [
        ...[tenant ?? "", keyId, state, by, issuer, validFrom, validUntil],
      ]);
      return row === undefined ? { kind: "unknown" } : { kind: "decided", key: toNotedKey(row) };
    },
    close: () => connections.close(),
  }));
}

const pageStatement: Statement = {
  name: "page-keys",
  reach: "tenant",
  text: `
    select ${KEY_COLUMNS} from turnseal.signing_key
     where (tenant, key_id) > ($1, $2) order by tenant, key_id limit ${KEYS_PAGE_MAX}`,
};

const findStatement: Statement = {
  name: "find-key",
  reach: "tenant",
  text: `select ${KEY_COLUMNS} from turnseal.signing_key where tenant = $1 and key_id = $2`,
};

const decideStatement: Statement = {
  name: "decide-key",
  reach: "tenant",
  text: `
    update turnseal.signing_key
       set state = $3, decided_by = $4, issuer = $5, valid_from = $6::timestamptz,
           valid_until = $7::timestamptz,
           decided_at = date_trunc('milliseconds', clock_timestamp())
     where tenant = $1 and key_id = $2
    returning ${KEY_COLUMNS}`,
};
