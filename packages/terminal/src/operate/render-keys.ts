import type { NotedKey } from "@turnseal/adapters/postgres";
import type { PublicKey } from "@turnseal/protocol/receipts";
import { type Line, line, type Span, toned } from "../screen/line.ts";

/** Renders public keys as a table, the newest last. */
export function renderKeyList(keys: readonly PublicKey[]): Line[] {
  const width = keys.reduce((widest, { issuer }) => Math.max(widest, issuer.length), 0);
  return keys.map((key) => line(...renderKey(key, width)));
}

/** Renders a key of a database, with whose runs it is good for and who says so. */
export function renderNotedKey(key: NotedKey): Line {
  const { tenant, state, notedBy, notedAt, decidedBy, decidedAt } = key;
  const tone = state === "trusted" ? "good" : state === "noted" ? "warning" : "bad";
  return line(
    ...renderKey(key, key.issuer.length),
    `  for ${tenant === null ? "all tenants" : `tenant ${tenant}`}  `,
    toned(tone, state),
    toned("faint", ` by ${decidedBy ?? notedBy}, ${decidedAt ?? notedAt}`),
  );
}

function renderKey(key: PublicKey, width: number): (string | Span)[] {
  const { keyId, issuer, validFrom, validUntil } = key;
  return [
    toned("strong", keyId),
    `  ${issuer.padEnd(width)}  from ${validFrom}`,
    validUntil === undefined ? "" : ` until ${validUntil}`,
  ];
}
