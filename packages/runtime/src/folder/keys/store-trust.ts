/**
 * The keys that verify a store's receipts: those of its folder, and those of its database that an
 * operator trusts. A key that a worker's login noted is named, but not trusted for that.
 */
import type { NotedKey } from "@turnseal/adapters/postgres";
import type { PublicKey, VerifyOptions } from "@turnseal/protocol/receipts";
import type { StoreFolder } from "../store-folder.ts";
import { readPublicKeys } from "./open-keys.ts";

/** The options of a verifier about keys. */
export type Trust = Pick<VerifyOptions, "keys" | "untrusted">;

export async function readStoreTrust({
  path,
  engine,
}: Pick<StoreFolder, "path" | "engine">): Promise<Trust> {
  const noted = (await engine?.listKeys()) ?? [];
  return joinTrust(await readPublicKeys(path), noted);
}

/**
 * An operator's decision on a key overrides the folder. A key that is distrusted anywhere is
 * trusted nowhere: distrust concerns everything that it sealed.
 */
export function joinTrust(own: readonly PublicKey[], noted: readonly NotedKey[]): Trust {
  const idsOf = (wanted: NotedKey["state"]): ReadonlySet<string> =>
    new Set(noted.filter(({ state }) => state === wanted).map(({ keyId }) => keyId));
  const [distrusted, trusted] = [idsOf("distrusted"), idsOf("trusted")];
  // The key of a tenant counts for its runs alone, and comes before a key for all.
  const decided = noted
    .filter(({ state }) => state === "trusted")
    .toSorted((one, two) => Number(!one.tenant) - Number(!two.tenant));
  const keys = new Map<string, PublicKey>();
  for (const key of [...decided.map(strip), ...own])
    if (!distrusted.has(key.keyId) && !keys.has(key.keyId)) keys.set(key.keyId, key);
  const refused = noted.filter(({ keyId, state }) =>
    distrusted.has(keyId) ? state === "distrusted" : !trusted.has(keyId),
  );
  const untrusted = new Map(refused.map((key) => [key.keyId, describe(key)]));
  return { keys: [...keys.values()], untrusted };
}

function strip(key: NotedKey): PublicKey {
  const { keyId, issuer, validFrom, validUntil } = key;
  const until = validUntil === undefined ? {} : { validUntil };
  return { keyId, x: key.x, issuer, validFrom, ...until };
}

function describe(key: NotedKey): string {
  const { keyId, state, decidedBy, decidedAt, notedBy } = key;
  return state === "distrusted"
    ? `the key ${keyId} was distrusted by ${decidedBy} at ${decidedAt}`
    : `the key ${keyId} was noted by ${notedBy}, and is not trusted: ${renderTrust(key)}`;
}

/** The command that trusts a key. */
export function renderTrust({ keyId, tenant }: Pick<NotedKey, "keyId" | "tenant">): string {
  return `turnseal keys trust ${keyId}${tenant === null ? "" : ` --tenant ${tenant}`}`;
}
