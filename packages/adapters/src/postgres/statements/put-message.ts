import { createHash } from "node:crypto";
import {
  INBOX_BYTES_MAX,
  INBOX_CANCELS_MAX,
  INBOX_ROWS_MAX,
  type InboxMessage,
  type PutAnswer,
  renderBody,
} from "@turnseal/ports";
import { readBytes, readFlag } from "../columns.ts";
import { checkRunId } from "../names.ts";
import type { Database, Statement } from "../open-database.ts";
import { OPEN_RUN } from "../open-run.ts";
import { retryClash } from "../retry-clash.ts";

export const putMessageStatement: Statement = {
  name: "put-message",
  reach: "run",
  text: `
    with ${OPEN_RUN},
    known as (
      select fingerprint from turnseal.inbox where tenant = $1 and run = $2 and key = $3),
    waiting as (
      select count(*) as rows, coalesce(sum(bytes), 0) as bytes,
             count(*) filter (where kind = 'cancel') as cancels
        from turnseal.inbox where tenant = $1 and run = $2 and body is not null),
    room as (
      select case $4
             when 'start' then true
             when 'result' then true
             when 'cancel' then cancels < ${INBOX_CANCELS_MAX}
             else rows < ${INBOX_ROWS_MAX} and bytes + $7 <= ${INBOX_BYTES_MAX} end as has_room
        from waiting),
    stored as (
      insert into turnseal.inbox (tenant, run, key, kind, fingerprint, body, bytes)
      select $1, $2, $3, $4, $5, $6, $7
        from opened_run, room
       where not is_erased and has_room and not exists (select from known))
    select opened_run.is_erased, known.fingerprint, room.has_room
      from opened_run cross join room left join known on true`,
};

/** Takes a message in, or says why not. The database says when it was received. */
export async function putMessage(db: Database, message: InboxMessage): Promise<PutAnswer> {
  const { run, key, kind } = message;
  checkRunId(run);
  const body = renderBody(message);
  if (body.kind === "refused") return body;
  const { text, bytes } = body;
  // A plain digest of content could be guessed at. This one is erased with the content, and is
  // shown to nobody.
  const fingerprint = createHash("sha256").update(`${kind} ${text}`).digest();
  const values = [db.tenant, run, key, kind, fingerprint, text, bytes];
  const [row] = await retryClash(["head", "inbox"], () => db.query(putMessageStatement, values));
  if (readFlag(row, "is_erased")) return { kind: "refused", reason: "erased" };
  if (row?.["fingerprint"] === null)
    return readFlag(row, "has_room") ? { kind: "stored" } : { kind: "refused", reason: "full" };
  return fingerprint.equals(readBytes(row, "fingerprint"))
    ? { kind: "known" }
    : { kind: "refused", reason: "other-message" };
}
