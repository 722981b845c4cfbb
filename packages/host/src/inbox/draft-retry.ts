/**
 * A person's request to retry a provider, or to lift a quarantine. It is for the outage that the
 * person has seen. If the retry repeats actions, the person must accept that, since another worker
 * may be faster.
 */

import { findQuarantined, type RunProjection, waitsForProvider } from "@turnseal/folds";
import type { EventDraft } from "@turnseal/kernel";
import type { InboxRow } from "@turnseal/ports";
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
