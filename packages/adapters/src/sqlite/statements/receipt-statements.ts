import type { DatabaseSync } from "node:sqlite";
import type { StoredReceipt } from "@turnseal/ports";
import { packEnvelope, unpackEnvelope } from "../../pack-envelope.ts";
import { type Row, readBytes, readInteger, readText } from "../columns.ts";

/** Statements on receipts; a turn has one. */
export interface ReceiptStatements {
  insert(number: number, receipt: StoredReceipt): void;
  has(number: number, turn: number): boolean;
  list(run: string, from: number, limit: number): StoredReceipt[];
}

export function receiptStatements(db: DatabaseSync): ReceiptStatements {
  const insert = db.prepare(`
    insert into receipt (run_number, turn, receipt_id, envelope) values (?, ?, ?, ?)`);
  const find = db.prepare("select 1 from receipt where run_number = ? and turn = ?");
  const list = db.prepare(`
    select turn, receipt_id, envelope from receipt
     where run_number = (select number from head where run = ?) and turn >= ?
     order by turn limit ?`);
  return {
    insert: (number, { turn, id, envelope }) =>
      void insert.run(number, turn, id, packEnvelope(envelope)),
    has: (number, turn) => find.get(number, turn) !== undefined,
    list: (run, from, limit) => list.all(run, from, limit).map((row) => toReceipt(run, row)),
  };
}

function toReceipt(run: string, row: Row): StoredReceipt {
  return {
    run,
    turn: readInteger(row, "turn"),
    id: readText(row, "receipt_id"),
    envelope: unpackEnvelope(readBytes(row, "envelope")),
  };
}
