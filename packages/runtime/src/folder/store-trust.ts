/**
 * The keys that a store's receipts are held to: those of its folder, and those of its database that
 * somebody trusts. What a worker's login noted is named, and trusted by nobody for that.
 */
import type { NotedKey } from "@turnseal/adapters/postgres";
import type { PublicKey, VerifyOptions } from "@turnseal/protocol/receipts";
import { readPublicKeys } from "./open-keys.ts";
import type { StoreFolder } from "./store-folder.ts";

/** What a verifier is given of keys. */
export type Trust = Pick<VerifyOptions, "keys" | "untrusted">;

export async function readStoreTrust({
  path,
  engine,
}: Pick<StoreFolder, "path" | "engine">): Promise<Trust> {
  const noted = (await engine?.listKeys()) ?? [];
  return joinTrust(await readPublicKeys(path), noted);
}

/**
 * What somebody decided of a key holds in place of what the folder says. One that is distrusted
 * anywhere is trusted nowhere: whoever distrusts a key means all that it sealed.
 */
export function joinTrust(own: readonly PublicKey[], noted: readonly NotedKey[]): Trust {
  const idsOf = (wanted: NotedKey["state"]): ReadonlySet<string> =>
    new Set(noted.filter(({ state }) => state === wanted).map(({ keyId }) => keyId));
  const [distrusted, trusted] = [idsOf("distrusted"), idsOf("trusted")];
  // That of a tenant is meant for its runs alone: it comes before one that is meant for all.
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
