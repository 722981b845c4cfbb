/** Takes in the end of a run that was handed to: the claim is settled with what that run spent. */

import type { OpenTurn } from "@turnseal/folds";
import type { EventDraft } from "@turnseal/kernel";
import type { InboxRow } from "@turnseal/ports";
import { type Actor, addAmounts, areAmounts, type JsonObject, textOf } from "@turnseal/protocol";
import { isValue, refused } from "./inbox-row.ts";

const host: Actor = { kind: "host", id: "host" };

export function draftResult(row: InboxRow, open: OpenTurn | null): EventDraft {
  const { body } = row;
  const claim = open?.open.find(
    ({ hash, handoff }) => hash === body["claimHash"] && handoff?.child === body["child"],
  );
  if (open === null || claim === undefined)
    return refused(row, "no such run was started from here");
  const { call, parentCall, key, reserve, periods } = claim;
  const { stopped, receipt, output, spent, turns, undelivered, unstarted } = body;
  const isDelivered = typeof undelivered !== "string";
  // Without its receipt nothing says what the run did: it is as good as failed.
  const isSealed = typeof receipt === "string" && areAmounts(spent);
  const isGiven = stopped === "goal-reached" && output !== undefined && isValue(output);
  const isReached = isGiven && isSealed;
  return {
    type: "action.settled",
    actor: isDelivered ? { kind: "run", id: textOf(body["child"]) } : host,
    turn: open.turn,
    call,
    ...(parentCall === null ? {} : { parentCall }),
    content: {
      action: "handoff",
      key,
      claim: claim.claim,
      status: isReached ? "ok" : "failed",
      durationMs: 0,
      ...(typeof undelivered === "string" ? { undelivered } : { stopped: textOf(stopped) }),
      reserve,
      // Without a receipt, the run may have spent all that was reserved; a run that never started
      // has spent nothing.
      spent: isSealed
        ? addAmounts(spent, { handoffs: 1 })
        : !isDelivered && unstarted === true
          ? { handoffs: 1 }
          : reserve,
      ...(periods === null ? {} : { periods }),
      ...(typeof receipt === "string" ? { receipt } : {}),
      ...(Number.isSafeInteger(turns) ? { turns: Number(turns) } : {}),
    },
    attached: isReached ? { result: output } : { reason: describeFailure(body) },
  };
}

function describeFailure({ stopped, undelivered }: JsonObject): string {
  return undelivered === undefined
    ? `it stopped: ${textOf(stopped)}`
    : `it could not be started: ${textOf(undelivered)}`;
}
