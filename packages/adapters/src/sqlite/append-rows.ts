import { type Append, type AppendAnswer, checkAppend } from "@turnseal/ports";
import { invariant } from "@turnseal/protocol";
import type { Statements } from "./statements/prepare-statements.ts";

/**
 * Makes an append, or says why not. It runs inside a transaction, whose lock decides every race.
 */
export function appendRows(statements: Statements, append: Append): AppendAnswer {
  const { heads, events, inbox, blobs, receipts, outbox, snapshots } = statements;
  const { run, epoch, after, receipt, snapshot } = append;
  const last = checkAppend(append);
  const head = heads.read(run);
  if (head === undefined || head.epoch !== epoch)
    return { kind: "fenced", epoch: head?.epoch ?? 0 };
  const { number, sequence, hash } = head;
  if (sequence !== after.sequence || hash !== after.hash) {
    // The hash covers the whole chain before it, so comparing the last event is enough.
    if (!events.has(number, last)) return { kind: "conflict", head: { sequence, hash } };
    return { kind: "duplicate", inboxIsEmpty: inbox.isEmpty(number) };
  }
  events.insert(number, append.events);
  heads.move(number, last);
  inbox.consume(number, append.consumed);
  if (append.blobs.length > 0 && !blobs.isErased(number))
    for (const blob of append.blobs) blobs.insert(number, blob);
  if (receipt !== undefined) {
    invariant(!receipts.has(number, receipt.turn), "a turn has one receipt");
    receipts.insert(number, receipt);
    for (const observer of append.observers ?? []) outbox.insert(number, observer, receipt);
  }
  if (snapshot !== undefined) snapshots.replace(number, snapshot);
  if (append.graph !== undefined) statements.graphs.write(number, append.graph, last.sequence);
  return { kind: "appended", inboxIsEmpty: inbox.isEmpty(number) };
}
