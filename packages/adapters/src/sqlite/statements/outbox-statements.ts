import type { DatabaseSync } from "node:sqlite";
import { OUTBOX_READ_MAX, type SealedReceipt } from "@turnseal/ports";
import { readInteger, readText } from "../columns.ts";

/** Statements on receipts that observers have not acknowledged. */
export interface OutboxStatements {
  insert(number: number, observer: string, receipt: Pick<SealedReceipt, "turn" | "id">): void;
  list(observer: string, after: Pick<SealedReceipt, "run" | "turn">): SealedReceipt[];
  remove(observer: string, receipt: Pick<SealedReceipt, "run" | "turn">): void;
}

export function outboxStatements(db: DatabaseSync): OutboxStatements {
  const insert = db.prepare(`
    insert into outbox (observer, run_number, turn, receipt_id) values (?, ?, ?, ?)`);
  const list = db.prepare(`
    select head.run, outbox.turn, outbox.receipt_id
      from outbox join head on head.number = outbox.run_number
     where outbox.observer = ?1 and (head.run, outbox.turn) > (?2, ?3)
     order by head.run, outbox.turn limit ${OUTBOX_READ_MAX}`);
  const remove = db.prepare(`
    delete from outbox
     where observer = ? and run_number = (select number from head where run = ?) and turn = ?`);
  return {
    insert: (number, observer, { turn, id }) => void insert.run(observer, number, turn, id),
    list: (observer, { run, turn }) =>
      list.all(observer, run, turn).map((row) => ({
        run: readText(row, "run"),
        turn: readInteger(row, "turn"),
        id: readText(row, "receipt_id"),
      })),
    remove: (observer, { run, turn }) => void remove.run(observer, run, turn),
  };
}
