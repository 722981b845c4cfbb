/**
 * A person's word that a provider is asked again, or that a run goes on that was quarantined. It is
 * for the outage that the person has seen,
 * and where that does something again, only if they said so: others may be faster.
 */
import type { EventDraft } from "@turnseal/kernel";
import type { InboxRow } from "@turnseal/ports";
import { findQuarantined } from "../projection/find-quarantined.ts";
import { waitsForProvider } from "../projection/outage.ts";
import type { RunProjection } from "../projection/run-projection.ts";
import { actorOf, refused } from "./inbox-row.ts";

export function draftRetry(row: InboxRow, run: RunProjection): EventDraft {
  const { key, body, receivedAt } = row;
  const retried: EventDraft = {
    type: "signal.received",
    actor: actorOf(body),
    content: { kind: "retry", key, receivedAt },
  };
  const quarantined = findQuarantined(run);
  if (quarantined !== undefined) {
    const { turn, since } = quarantined;
    const isSeen = body["turn"] === turn && body["since"] === since;
    return isSeen ? { ...retried, turn } : refused(row, "it was said of another turn");
  }
  if (!waitsForProvider(run)) return refused(row, "no provider is waited for");
  if (body["turn"] !== run.turns) return refused(row, "it was said of another turn");
  const isRepeating = run.lastTurn?.outage?.repeats !== undefined;
  if (isRepeating && body["again"] !== true) return refused(row, "it would repeat what was done");
  return retried;
}
