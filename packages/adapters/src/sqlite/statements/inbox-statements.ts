import type { DatabaseSync } from "node:sqlite";
import { INBOX_READ_MAX, type InboxMessage, type InboxRow } from "@turnseal/ports";
import { readObject, readText } from "../columns.ts";

export interface NewInboxRow {
  readonly number: number;
  readonly message: InboxMessage;
  /** The body as it is kept. */
  readonly text: string;
  /** Stands for kind and body once the row is consumed. */
  readonly fingerprint: Uint8Array;
  readonly receivedAt: string;
}

/** Statements on what others tell a run. */
export interface InboxStatements {
  insert(row: NewInboxRow): void;
  /** The fingerprint of an earlier message with this key. */
  findFingerprint(number: number, key: string): Uint8Array | undefined;
  listPending(run: string): InboxRow[];
  isEmpty(number: number): boolean;
  /** What was consumed is content of the run by then: its body is not kept twice. */
  consume(number: number, keys: readonly string[]): void;
  erase(number: number): void;
}

export function inboxStatements(db: DatabaseSync): InboxStatements {
  const insert = db.prepare(`
    insert into inbox (run_number, key, received_at, kind, fingerprint, body)
    values (?, ?, ?, ?, ?, ?)`);
  const find = db.prepare("select fingerprint from inbox where run_number = ? and key = ?");
  const list = db.prepare(`
    select key, received_at, kind, body from inbox
     where run_number = (select number from head where run = ?) and body is not null
     order by id limit ${INBOX_READ_MAX}`);
  const findPending = db.prepare(`
    select 1 from inbox where run_number = ? and body is not null limit 1`);
  const consume = db.prepare("update inbox set body = null where run_number = ? and key = ?");
  const erase = db.prepare(`
    update inbox set body = null, fingerprint = null where run_number = ?`);
  return {
    insert: ({ number, message: { key, kind }, text, fingerprint, receivedAt }) =>
      void insert.run(number, key, receivedAt, kind, fingerprint, text),
    findFingerprint: (number, key) => {
      const fingerprint = find.get(number, key)?.["fingerprint"];
      return fingerprint instanceof Uint8Array ? fingerprint : undefined;
    },
    listPending: (run) =>
      list.all(run).map((row) => ({
        run,
        key: readText(row, "key"),
        kind: readText(row, "kind") as InboxMessage["kind"],
        body: readObject(row, "body"),
        receivedAt: readText(row, "received_at"),
      })),
    isEmpty: (number) => findPending.get(number) === undefined,
    consume: (number, keys) => {
      for (const key of keys) consume.run(number, key);
    },
    erase: (number) => void erase.run(number),
  };
}
