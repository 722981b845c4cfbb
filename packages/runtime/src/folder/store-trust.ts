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
 * A key that is in the folder has the time that the folder says. One that somebody has distrusted
 * is not trusted from the folder either, unless it is trusted elsewhere.
 */
export function joinTrust(own: readonly PublicKey[], noted: readonly NotedKey[]): Trust {
  const trusted = noted.filter(({ state }) => state === "trusted");
  const isTrusted = (keyId: string): boolean => trusted.some((key) => key.keyId === keyId);
  const refused = noted.filter(({ keyId }) => !isTrusted(keyId));
  const isDistrusted = ({ state }: NotedKey): boolean => state === "distrusted";
  const distrusted = new Set(refused.filter(isDistrusted).map(({ keyId }) => keyId));
  const keys = new Map<string, PublicKey>();
  // That of a tenant is meant for its runs alone: it comes before one that is meant for all.
  const byTenant = trusted.toSorted((one, two) => Number(!one.tenant) - Number(!two.tenant));
  for (const key of [...own, ...byTenant.map(strip)])
    if (!distrusted.has(key.keyId) && !keys.has(key.keyId)) keys.set(key.keyId, key);
  // Where it is listed twice, nobody is told to trust what somebody has distrusted.
  const said = [...refused, ...refused.filter(isDistrusted)];
  const untrusted = new Map(said.map((key) => [key.keyId, describe(key)]));
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
