import type { DatabaseSync } from "node:sqlite";
import {
  INBOX_READ_MAX,
  type InboxLoad,
  type InboxMessage,
  type InboxRow,
  RUNS_LIST_MAX,
} from "@turnseal/ports";
import { readInteger, readObject, readText } from "../columns.ts";

export interface NewInboxRow {
  readonly number: number;
  readonly message: InboxMessage;
  /** The body as it is kept. */
  readonly text: string;
  /** Stands for kind and body once the row is consumed. */
  readonly fingerprint: Uint8Array;
  readonly receivedAt: string;
}

type Kind = InboxMessage["kind"];

/** Statements on what others tell a run. */
export interface InboxStatements {
  insert(row: NewInboxRow): void;
  /** The fingerprint of an earlier message with this key. */
  findFingerprint(number: number, key: string): Uint8Array | undefined;
  /** Lists pending messages, of one kind if it is given. */
  listPending(run: string, kind: Kind | undefined): InboxRow[];
  hasPending(run: string, kind: Kind | undefined): boolean;
  isEmpty(number: number): boolean;
  /** Lists runs with pending messages, by their ids, after one. */
  listTold(after: string): string[];
  measure(number: number): InboxLoad;
  /**
   * Marks messages as consumed. Their content is in the run by now, so the inbox drops the bodies.
   */
  consume(number: number, keys: readonly string[]): void;
  erase(number: number): void;
}

export function inboxStatements(db: DatabaseSync): InboxStatements {
  const insert = db.prepare(`
    insert into inbox (run_number, key, received_at, kind, fingerprint, body)
    values (?, ?, ?, ?, ?, ?)`);
  const find = db.prepare("select fingerprint from inbox where run_number = ? and key = ?");
  const pending = `from inbox
     where run_number = (select number from head where run = ?1) and body is not null
       and kind = coalesce(?2, kind)`;
  const list = db.prepare(`
    select key, received_at, kind, body ${pending} order by id limit ${INBOX_READ_MAX}`);
  const hasAny = db.prepare(`select 1 ${pending} limit 1`);
  // The size of a body stands before it: none is read.
  const measure = db.prepare(`
    select count(*) as rows, coalesce(sum(octet_length(body)), 0) as bytes,
           count(*) filter (where kind = 'cancel') as cancels
      from inbox where run_number = ? and body is not null`);
  const findPending = db.prepare(`
    select 1 from inbox where run_number = ? and body is not null limit 1`);
  const told = db.prepare(`
    select distinct head.run from inbox join head on head.number = inbox.run_number
     where inbox.body is not null and head.run > ? order by head.run limit ${RUNS_LIST_MAX}`);
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
    hasPending: (run, kind) => hasAny.get(run, kind ?? null) !== undefined,
    measure: (number) => {
      const row = measure.get(number);
      const [rows, bytes] = [readInteger(row, "rows"), readInteger(row, "bytes")];
      return { rows, bytes, cancels: readInteger(row, "cancels") };
    },
    listPending: (run, kind) =>
      list.all(run, kind ?? null).map((row) => ({
        run,
        key: readText(row, "key"),
        kind: readText(row, "kind") as InboxMessage["kind"],
        body: readObject(row, "body"),
        receivedAt: readText(row, "received_at"),
      })),
    listTold: (after) => told.all(after).map((row) => readText(row, "run")),
    isEmpty: (number) => findPending.get(number) === undefined,
    consume: (number, keys) => {
      for (const key of keys) consume.run(number, key);
    },
    erase: (number) => void erase.run(number),
  };
}
