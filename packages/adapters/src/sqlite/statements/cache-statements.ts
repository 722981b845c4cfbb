import type { DatabaseSync } from "node:sqlite";
import type { CacheEntry } from "@turnseal/ports";
import { invariant } from "@turnseal/protocol";
import { readBytes, readInteger, readText } from "../columns.ts";

/** Statements on which calls gave what. */
export interface CacheStatements {
  keepKey(key: Uint8Array): Uint8Array;
  find(name: string, nowMs: number): CacheEntry | undefined;
  put(number: number, entry: CacheEntry): void;
  /** Removes some of those whose time has come. */
  dropExpired(nowMs: number): void;
  erase(number: number): void;
}

/** Entries whose time has come that one entry takes the place of. */
export const EXPIRED_BATCH_MAX = 50;

export function cacheStatements(db: DatabaseSync): CacheStatements {
  const keepKey = db.prepare(
    "insert into cache_key (id, key) values (1, ?) on conflict (id) do nothing",
  );
  const readKey = db.prepare("select key from cache_key where id = 1");
  const find = db.prepare(`
    select run, turn, call, digest, expires_at
      from cached_call join head on head.number = cached_call.run_number
     where name = ? and expires_at > ?`);
  const put = db.prepare(`
    insert into cached_call (name, run_number, turn, call, digest, expires_at)
    values (?, ?, ?, ?, ?, ?)
    on conflict (name) do update
       set run_number = excluded.run_number, turn = excluded.turn, call = excluded.call,
           digest = excluded.digest, expires_at = excluded.expires_at`);
  const dropExpired = db.prepare(`
    delete from cached_call where name in (
      select name from cached_call where expires_at <= ? order by expires_at
       limit ${EXPIRED_BATCH_MAX})`);
  const erase = db.prepare("delete from cached_call where run_number = ?");
  return {
    keepKey: (key) => {
      keepKey.run(key);
      const row = readKey.get();
      invariant(row !== undefined, "a key was kept");
      return readBytes(row, "key");
    },
    find: (name, nowMs) => {
      const row = find.get(Buffer.from(name, "hex"), nowMs);
      if (row === undefined) return undefined;
      const from = {
        run: readText(row, "run"),
        turn: readInteger(row, "turn"),
        call: readText(row, "call"),
      };
      const hex = Buffer.from(readBytes(row, "digest")).toString("hex");
      const expiresAtMs = readInteger(row, "expires_at");
      return { name, from, digest: `hmac-sha256:${hex}`, expiresAtMs };
    },
    put: (number, { name, from, digest, expiresAtMs }) => {
      const bytes = Buffer.from(digest.replace("hmac-sha256:", ""), "hex");
      put.run(Buffer.from(name, "hex"), number, from.turn, from.call, bytes, expiresAtMs);
    },
    dropExpired: (nowMs) => dropExpired.run(nowMs),
    erase: (number) => erase.run(number),
  };
}
