import type { Append, AppendAnswer } from "@turnseal/ports";
import { canonicalize } from "@turnseal/protocol";
import { readFlag, readInteger, readText } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";

/**
 * It locks the head row, and so it commits: what it found is on the standby too when it is
 * answered, also when the append itself was interrupted while it waited for that.
 */
export const explainAppendStatement: Statement = {
  name: "explain-append",
  reach: "run",
  text: `
    select head.epoch, head.sequence, head.hash,
           exists (
             select from turnseal.event
              where tenant = $1 and run = $2 and sequence = $3 and body::text = $4) as is_there,
           not exists (
             select from turnseal.inbox
              where tenant = $1 and run = $2 and body is not null) as inbox_is_empty
      from turnseal.head as head
     where head.tenant = $1 and head.run = $2
       for no key update of head`,
};

/** Says why an append moved no head. */
export async function explainAppend(
  db: Database,
  { run, epoch, events }: Append,
): Promise<AppendAnswer> {
  const { run: _, sequence, ...body } = events.at(-1) ?? { run, sequence: 0 };
  const values = [db.tenant, run, sequence, canonicalize(body)];
  const [row] = await db.query(explainAppendStatement, values);
  if (row === undefined) return { kind: "fenced", epoch: 0 };
  const current = readInteger(row, "epoch");
  if (current !== epoch) return { kind: "fenced", epoch: current };
  // The hash covers the whole chain before it, so the last event stands for all of them.
  if (readFlag(row, "is_there"))
    return { kind: "duplicate", inboxIsEmpty: readFlag(row, "inbox_is_empty") };
  const head = { sequence: readInteger(row, "sequence"), hash: readText(row, "hash") };
  return { kind: "conflict", head };
}
