import type { DatabaseSync } from "node:sqlite";
import type { Blob } from "@turnseal/ports";
import { readBytes } from "../columns.ts";

/** Statements on content and on the keys of runs. */
export interface BlobStatements {
  insert(number: number, blob: Blob): void;
  read(run: string, digest: string): Uint8Array | undefined;
  /** Keeps a key unless the run has one or was erased, and answers with what the run has. */
  keepKey(number: number, key: Uint8Array): Uint8Array | undefined;
  readKey(run: string): Uint8Array | undefined;
  isErased(number: number): boolean;
  erase(number: number): void;
}

export function blobStatements(db: DatabaseSync): BlobStatements {
  const insert = db.prepare(`
    insert into blob (run_number, digest, bytes) values (?, ?, ?)
    on conflict (run_number, digest) do nothing`);
  const read = db.prepare(`
    select bytes from blob
     where run_number = (select number from head where run = ?) and digest = ?`);
  const keepKey = db.prepare(`
    insert into run_key (run_number, key) values (?, ?) on conflict (run_number) do nothing`);
  const readKey = db.prepare("select key from run_key where run_number = ?");
  const readKeyOf = db.prepare(`
    select key from run_key where run_number = (select number from head where run = ?)`);
  const eraseBlobs = db.prepare("delete from blob where run_number = ?");
  const eraseKey = db.prepare(`
    insert into run_key (run_number, key) values (?, null)
    on conflict (run_number) do update set key = null`);
  return {
    insert: (number, { digest, bytes }) => {
      const packed = packDigest(digest);
      if (packed === undefined) throw new RangeError(`${digest} is not a digest of content`);
      insert.run(number, packed, bytes);
    },
    read: (run, digest) => {
      const packed = packDigest(digest);
      const row = packed === undefined ? undefined : read.get(run, packed);
      return row === undefined ? undefined : readBytes(row, "bytes");
    },
    keepKey: (number, key) => {
      keepKey.run(number, key);
      return toKey(readKey.get(number)?.["key"]);
    },
    readKey: (run) => toKey(readKeyOf.get(run)?.["key"]),
    isErased: (number) => readKey.get(number)?.["key"] === null,
    erase: (number) => {
      eraseBlobs.run(number);
      eraseKey.run(number);
    },
  };
}

/** The key of a run that was erased is null. */
function toKey(value: unknown): Uint8Array | undefined {
  return value instanceof Uint8Array ? value : undefined;
}

/** A digest without what all digests have in common: less than half of its bytes. */
function packDigest(digest: string): Uint8Array | undefined {
  const [, hex] = /^hmac-sha256:([0-9a-f]{64})$/.exec(digest) ?? [];
  return hex === undefined ? undefined : Buffer.from(hex, "hex");
}
