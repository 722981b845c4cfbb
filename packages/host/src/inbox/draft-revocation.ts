import { listStanding, type RunProjection } from "@turnseal/folds";
import type { EventDraft } from "@turnseal/kernel";
import type { InboxRow } from "@turnseal/ports";
import { actorOf, readIdentity, refused } from "./inbox-row.ts";

/** A person ends an approval that stands (spec/approval.md §11.7). */
export function draftRevocation(row: InboxRow, run: RunProjection): EventDraft {
  const { key, body, receivedAt } = row;
  if (readIdentity(body).id === "") return refused(row, "identity-missing");
  const standing = listStanding(run.standing, run.lastAt).find(
    ({ hash }) => hash === body["decision"],
  );
  if (standing === undefined) return refused(row, "not-standing");
  const { decision, hash } = standing;
  return {
    type: "signal.received",
    actor: actorOf(body),
    ...(run.openTurn === null ? {} : { turn: run.openTurn.turn }),
    content: { kind: "revoke", key, receivedAt, decision, hash },
  };
}
