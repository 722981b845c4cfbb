import { createHash } from "node:crypto";
import { type InboxMessage, type PutAnswer, renderBody } from "@turnseal/ports";
import { readBytes, readFlag } from "../columns.ts";
import type { Database, Statement } from "../database.ts";
import { checkRunId, isStorableText } from "../names.ts";
import { OPEN_RUN } from "../open-run.ts";
import { retryClash } from "../retry-clash.ts";

export const putMessageStatement: Statement = {
  name: "put-message",
  reach: "run",
  text: `
    with ${OPEN_RUN},
    known as (
      select fingerprint from turnseal.inbox where tenant = $1 and run = $2 and key = $3),
    stored as (
      insert into turnseal.inbox (tenant, run, key, kind, fingerprint, body)
      select $1, $2, $3, $4, $5, $6
        from opened_run where not is_erased and not exists (select from known))
    select opened_run.is_erased, known.fingerprint from opened_run left join known on true`,
};

/** Takes a message in, or says why not. The database says when it was received. */
export async function putMessage(db: Database, message: InboxMessage): Promise<PutAnswer> {
  const { run, key, kind } = message;
  checkRunId(run);
  if (!isStorableText(key)) throw new RangeError("the key of a message is not well-formed text");
  const text = renderBody(message);
  if (text === undefined) return { kind: "refused", reason: "too-large" };
  // A plain digest of content could be guessed at. This one is erased with the content, and is
  // shown to nobody.
  const fingerprint = createHash("sha256").update(`${kind} ${text}`).digest();
  const values = [db.tenant, run, key, kind, fingerprint, text];
  const [row] = await retryClash(["head", "inbox"], () => db.query(putMessageStatement, values));
  if (readFlag(row, "is_erased")) return { kind: "refused", reason: "erased" };
  if (row?.["fingerprint"] === null) return { kind: "stored" };
  return fingerprint.equals(readBytes(row, "fingerprint"))
    ? { kind: "known" }
    : { kind: "refused", reason: "other-message" };
}
