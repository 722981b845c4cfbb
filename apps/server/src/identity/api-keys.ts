import { createHash, timingSafeEqual } from "node:crypto";
import type { Caller } from "@turnseal/sessions";
import { type Authenticate, parseCaller } from "./caller.ts";
import { readBearer } from "./read-bearer.ts";

/** Keys of one table: each request is compared with every one of them. */
export const API_KEYS_MAX = 1_000;

/** A key, as the server knows it: not itself, but its digest, and whose it is. */
export interface ApiKey {
  /** SHA-256 of the key, in hexadecimal. */
  readonly sha256: string;
  readonly tenant: string;
  readonly id: string;
  readonly roles?: readonly string[];
}

const digestPattern = /^[0-9a-f]{64}$/;

/**
 * People who are known by a key, sent as `authorization: Bearer <key>`.
 *
 * @example
 * apiKeys([{ sha256: "2bb8…", tenant: "default", id: "ada", roles: ["finance"] }]);
 */
export function apiKeys(keys: readonly ApiKey[]): Authenticate {
  if (keys.length > API_KEYS_MAX)
    throw new RangeError(`a table has at most ${API_KEYS_MAX} keys, and this one ${keys.length}`);
  const known = keys.map(parseKey);
  return (request) => {
    const key = readBearer(request);
    if (key === undefined) return undefined;
    const digest = createHash("sha256").update(key).digest();
    let caller: Caller | undefined;
    // Every entry is compared, also after a match, so that timing says nothing of the table.
    for (const entry of known) if (timingSafeEqual(entry.digest, digest)) caller = entry.caller;
    return caller;
  };
}

function parseKey({ sha256, ...person }: ApiKey, index: number) {
  const caller = parseCaller(person);
  if (!digestPattern.test(sha256))
    throw new TypeError(`key ${index + 1} has no sha256 of 64 hexadecimal digits`);
  if (caller === undefined)
    throw new TypeError(`key ${index + 1} lacks a tenant or an id, or has an invalid role name`);
  return { digest: Buffer.from(sha256, "hex"), caller };
}
