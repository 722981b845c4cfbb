import type { PublicKey } from "@turnseal/protocol/receipts";
import { type Line, line, toned } from "../terminal/line.ts";

/** Renders public keys as a table, the newest last. */
export function renderKeyList(keys: readonly PublicKey[]): Line[] {
  const width = keys.reduce((widest, { issuer }) => Math.max(widest, issuer.length), 0);
  return keys.map(({ keyId, issuer, validFrom, validUntil }) =>
    line(
      toned("strong", keyId),
      `  ${issuer.padEnd(width)}  from ${validFrom}`,
      validUntil === undefined ? "" : ` until ${validUntil}`,
    ),
  );
}
