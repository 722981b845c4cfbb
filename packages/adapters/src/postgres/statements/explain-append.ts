import type { Append, AppendAnswer } from "@turnseal/ports";
import type { LoopEvent } from "@turnseal/protocol";
import { holdsEvent } from "../../pack-segment.ts";
import { readFlag, readInteger, readText } from "../columns.ts";
import type { Database, Statement } from "../open-database.ts";
import { toSegment } from "./read-events.ts";

/**
 * It locks the head row, and so it commits. So its result is on the standby too when it is
 * answered, also if the append itself was interrupted while it waited for the standby.
 */
export const explainAppendStatement: Statement = {
  name: "explain-append",
  reach: "run",
  text: `
    select head.epoch, head.sequence, head.hash,
           segment.first_sequence, segment.last_sequence, segment.body,
           not exists (
             select from turnseal.inbox
              where tenant = $1 and run = $2 and body is not null) as inbox_is_empty
      from turnseal.head as head
      left join lateral (
        select first_sequence, last_sequence, body from turnseal.segment
         where tenant = $1 and run = $2 and period = head.period and first_sequence <= $3
         order by first_sequence desc limit 1) as segment on true
     where head.tenant = $1 and head.run = $2
       for no key update of head`,
};

/** Says why an append moved no head. */
export async function explainAppend(
  db: Database,
  { run, epoch }: Append,
  last: LoopEvent,
): Promise<AppendAnswer> {
  const [row] = await db.query(explainAppendStatement, [db.tenant, run, last.sequence]);
  if (row === undefined) return { kind: "fenced", epoch: 0 };
  const current = readInteger(row, "epoch");
  if (current !== epoch) return { kind: "fenced", epoch: current };
  // The hash covers the whole chain before it, so comparing the last event is enough.
  if (row["body"] !== null && holdsEvent(toSegment(run, row), last))
    return { kind: "duplicate", inboxIsEmpty: readFlag(row, "inbox_is_empty") };
  const head = { sequence: readInteger(row, "sequence"), hash: readText(row, "hash") };
  return { kind: "conflict", head };
}
