/** Runs that are chained, signed and added up, with events where no kernel writes them. */
import type { RawEvent } from "@turnseal/protocol";
import { DEMO_KEY } from "@turnseal/protocol/receipts";
import { type Expected, type ReceiptVector, rejectVector } from "./receipt-vector.ts";
import { findSequence, type MadeRun, sealRun } from "./seal-events.ts";

/** Spoils a run of one turn, in which one call used one tool. */
export function breakPlaces(one: MadeRun): ReceiptVector[] {
  const at = (sequence: number) => [{ code: "TURN_ORDER", sequence, turn: 1 }] as const;
  const [claim, closed] = ["action.claimed", "turn.closed"].map((type) =>
    findSequence(one.events, type),
  ) as [number, number];
  return [
    reject("turn-not-resumed", "A successor acts in a turn without a resume.", at(claim), {
      ...one,
      events: raiseEpoch(one.events, claim),
    }),
    reject(
      "turn-not-resumed-at-end",
      "A successor completes a turn without a resume.",
      at(closed),
      {
        ...one,
        events: raiseEpoch(one.events, closed),
      },
    ),
  ];
}

function reject(
  name: string,
  description: string,
  findings: Expected,
  run: MadeRun,
): ReceiptVector {
  return rejectVector(name, description, { keys: [DEMO_KEY], bundle: sealRun(run) }, findings);
}

/** A later worker writes this event and all that follow. */
function raiseEpoch(events: readonly RawEvent[], from: number): RawEvent[] {
  return events.map((event) =>
    event.sequence < from ? event : { ...event, epoch: event.epoch + 1 },
  );
}
