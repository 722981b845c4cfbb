import type { EpochTaken } from "@turnseal/ports";
import { readInteger, readText } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";

export const takeEpochStatement: Statement = {
  name: "take-epoch",
  reach: "run",
  text: `
    insert into turnseal.head as head (tenant, run, epoch) values ($1, $2, 1)
    on conflict (tenant, run) do update set epoch = head.epoch + 1
    returning epoch, sequence, hash`,
};

/** Makes the caller the run's only writer. */
export async function takeEpoch(db: Database, run: string): Promise<EpochTaken> {
  const [row] = await db.query(takeEpochStatement, [db.tenant, run]);
  const head = { sequence: readInteger(row, "sequence"), hash: readText(row, "hash") };
  return { epoch: readInteger(row, "epoch"), head };
}
