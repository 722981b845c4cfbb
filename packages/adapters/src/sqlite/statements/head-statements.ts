import type { DatabaseSync } from "node:sqlite";
import type { EpochTaken } from "@turnseal/ports";
import type { Head } from "@turnseal/protocol";
import { type Row, readInteger, readText } from "../columns.ts";

export interface HeadRow extends Head {
  readonly number: number;
  readonly epoch: number;
}

/** Statements on the head rows, which arbitrate between writers. */
export interface HeadStatements {
  takeEpoch(run: string): EpochTaken;
  /** The head row of a run, also without a log. */
  read(run: string): HeadRow | undefined;
  /** The number of a run, given to it now if it has none. */
  openNumber(run: string): number;
  move(number: number, head: Head): void;
}

export function headStatements(db: DatabaseSync): HeadStatements {
  const take = db.prepare(`
    insert into head (run, epoch, sequence, hash) values (?, 1, 0, '')
    on conflict (run) do update set epoch = epoch + 1
    returning epoch, sequence, hash`);
  const read = db.prepare("select number, epoch, sequence, hash from head where run = ?");
  const open = db.prepare(`
    insert into head (run, epoch, sequence, hash) values (?, 0, 0, '')
    on conflict (run) do nothing`);
  const move = db.prepare("update head set sequence = ?, hash = ? where number = ?");
  return {
    takeEpoch: (run) => {
      const row = take.get(run) ?? {};
      return { epoch: readInteger(row, "epoch"), head: readHead(row) };
    },
    read: (run) => {
      const row = read.get(run);
      if (row === undefined) return undefined;
      const [number, epoch] = [readInteger(row, "number"), readInteger(row, "epoch")];
      return { number, epoch, ...readHead(row) };
    },
    openNumber: (run) => {
      open.run(run);
      return readInteger(read.get(run), "number");
    },
    move: (number, { sequence, hash }) => void move.run(sequence, hash, number),
  };
}

function readHead(row: Row): Head {
  return { sequence: readInteger(row, "sequence"), hash: readText(row, "hash") };
}
