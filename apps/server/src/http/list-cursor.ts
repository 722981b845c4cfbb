/**
 * Where the next page of a list begins, as clients hold it.
 *
 * 1. The cursor holds a run, perhaps a hidden one: it is encrypted.
 * 2. A made-up cursor is refused. The reach of a page depends on the number of runs between. With
 *    cursors of their own choice, a caller could find the ids of others, bit by bit.
 * 3. The key is the tenant's and is stored: every server of its runs takes what another gave.
 */
import { createCipheriv, createDecipheriv, createHmac, randomBytes } from "node:crypto";
import type { Caller, SessionHost } from "@turnseal/sessions";

export interface ListCursors {
  seal(run: string): Promise<string>;
  /** Undefined for a cursor that this caller did not get for this list. */
  open(cursor: string): Promise<string | undefined>;
}

export interface CursorOwner {
  readonly host: Pick<SessionHost, "stores">;
  readonly caller: Caller;
}

export type ListName = "runs" | "inbox";
export type FindCursors = (owner: CursorOwner, list: ListName) => ListCursors;

const CIPHER = "aes-256-gcm";
const [KEY_BYTES, NONCE_BYTES, TAG_BYTES] = [32, 12, 16];

export function createListCursors(): FindCursors {
  // For stores that keep no key: then a cursor is good at the server that gave it.
  const processKey = randomBytes(KEY_BYTES);
  return ({ host, caller }, list) => {
    const { calls } = host.stores;
    const owner = JSON.stringify(["cursor", list, caller.tenant, caller.id]);
    const findKey = async () => {
      const kept = calls === undefined ? processKey : await calls.keepKey(randomBytes(KEY_BYTES));
      return createHmac("sha256", kept).update(owner).digest();
    };
    return {
      seal: async (run) => encrypt(run, await findKey()),
      open: async (cursor) => decrypt(cursor, await findKey()),
    };
  };
}

function encrypt(text: string, key: Buffer): string {
  const nonce = randomBytes(NONCE_BYTES);
  const cipher = createCipheriv(CIPHER, key, nonce);
  const sealed = [cipher.update(text, "utf8"), cipher.final()];
  return Buffer.concat([nonce, cipher.getAuthTag(), ...sealed]).toString("base64url");
}

function decrypt(text: string, key: Buffer): string | undefined {
  const bytes = Buffer.from(text, "base64url");
  const [tagAt, sealedAt] = [NONCE_BYTES, NONCE_BYTES + TAG_BYTES];
  if (bytes.length <= sealedAt) return undefined;
  const cipher = createDecipheriv(CIPHER, key, bytes.subarray(0, tagAt), {
    authTagLength: TAG_BYTES,
  });
  cipher.setAuthTag(bytes.subarray(tagAt, sealedAt));
  try {
    return cipher.update(bytes.subarray(sealedAt), undefined, "utf8") + cipher.final("utf8");
  } catch {
    return undefined;
  }
}
