import type { Append } from "@turnseal/ports";
import { packEnvelope } from "../../pack-envelope.ts";
import { isStorableText, toStorable } from "../names.ts";
import type { Statement } from "../open-database.ts";
import { APPENDED_ROWS } from "./append-events.ts";

/** Further rows of an append, for those of the head. */
export const APPENDED_MORE = `${APPENDED_ROWS},
    marks as (
      update turnseal.inbox as inbox set body = null from head
       where inbox.tenant = $1 and inbox.run = $2 and inbox.key = any($17::text[])),
    receipt as (
      insert into turnseal.receipt (tenant, run, period, turn, receipt_id, envelope)
      select $1, $2, period, $18::bigint, $19::text, $20::bytea
        from head where $18::bigint is not null),
    outbox as (
      insert into turnseal.outbox (tenant, observer, run, turn, receipt_id)
      select $1, item.observer, $2, $18::bigint, $19::text
        from head, unnest($27::text[]) as item (observer) where $18::bigint is not null),
    asked as (
      insert into turnseal.waiting
        (tenant, run, sequence, id, kind, name, role, asked_at, decide_by)
      select $1, $2, item.*
        from head, unnest($15::bigint[], $21::text[], $22::text[], $23::text[], $24::text[],
               $25::timestamptz[], $26::timestamptz[])
               as item (sequence, id, kind, name, role, asked_at, decide_by)
       where not exists (
         select from turnseal.waiting as known
          where known.tenant = $1 and known.run = $2 and known.sequence = item.sequence))`;

/** How such an append is answered. */
export const MORE_ANSWERED = `
    select (select count(*) from head) as moved,
           not exists (
             select from turnseal.inbox
              where tenant = $1 and run = $2 and body is not null
                and key <> all($17::text[])) as inbox_is_empty`;

/**
 * The same with everything else that an append can carry: marks in the inbox, a receipt, and
 * requests to people. It is apart because every part of a statement is planned every time.
 */
export const appendTurnStatement: Statement = {
  name: "append-turn",
  reach: "run",
  text: `
    with ${APPENDED_MORE}${MORE_ANSWERED}`,
};

/** True when an append carries more than events, blobs and a snapshot. */
export function carriesMore({ consumed, receipt, snapshot }: Append): boolean {
  const asked = snapshot?.waiting ?? [];
  return consumed.length > 0 || receipt !== undefined || asked.length > 0;
}

/** The values of what it carries more, after those of every append. */
export function renderMore({ consumed, receipt, observers, snapshot }: Append): unknown[] {
  const waiting = snapshot?.waiting ?? [];
  return [
    // A key that cannot be stored is the key of no row.
    consumed.filter(isStorableText),
    ...[receipt?.turn, receipt?.id, receipt && packEnvelope(receipt.envelope)],
    waiting.map(({ id }) => id),
    waiting.map(({ kind }) => kind),
    waiting.map(({ name }) => toStorable(name)),
    waiting.map(({ role }) => (role === null ? null : toStorable(role))),
    waiting.map(({ askedAt }) => askedAt),
    waiting.map(({ decideBy }) => decideBy),
    observers ?? [],
  ];
}
