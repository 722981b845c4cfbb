/**
 * Takes in what became of a run that was handed to: the claim is settled with what that run spent.
 */
import type { EventDraft } from "@turnseal/kernel";
import type { InboxRow } from "@turnseal/ports";
import { addAmounts, areAmounts, type JsonObject } from "@turnseal/protocol";
import { refused } from "./inbox-row.ts";
import type { OpenTurn } from "./projection/run-projection.ts";

export function takeResult(row: InboxRow, open: OpenTurn | null): EventDraft {
  const { body } = row;
  const claim = open?.open.find(
    ({ hash, handoff }) => hash === body["claimHash"] && handoff?.child === body["child"],
  );
  if (open === null || claim === undefined)
    return refused(row, "no such run was started from here");
  const { call, parentCall, key, reserve } = claim;
  const { stopped, receipt, output, spent } = body;
  const isReached = stopped === "goal-reached" && output !== undefined;
  return {
    type: "action.settled",
    actor: { kind: "run", id: String(body["child"]) },
    turn: open.turn,
    call,
    ...(parentCall === null ? {} : { parentCall }),
    content: {
      action: "handoff",
      key,
      claim: claim.claim,
      status: isReached ? "ok" : "failed",
      durationMs: 0,
      stopped: String(stopped),
      reserve,
      // What cannot be read may have cost all that was reserved.
      spent: areAmounts(spent) ? addAmounts(spent, { handoffs: 1 }) : reserve,
      ...(typeof receipt === "string" ? { receipt } : {}),
    } satisfies JsonObject,
    attached: isReached ? { result: output } : { reason: `it stopped: ${String(stopped)}` },
  };
}
