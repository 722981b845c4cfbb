/** Receipts that were changed, exchanged or signed with the wrong key. */
import type { JsonObject } from "@turnseal/protocol";
import { DEMO_KEY } from "@turnseal/protocol/receipts";
import { type Expected, type ReceiptVector, rejectVector } from "./receipt-vector.ts";
import { findSequence, type MadeRun, sealRun } from "./seal-events.ts";
import { spoilForm, spoilSignature } from "./spoiled-envelopes.ts";
import { spoilKeys } from "./spoiled-keys.ts";
import { spoilStatement } from "./spoiled-statements.ts";

const keys = [DEMO_KEY];
const missing = { code: "RECEIPT_MISSING", turn: 1 } as const;

export function spoilReceipts(run: MadeRun, other: MadeRun, waiting: MadeRun): ReceiptVector[] {
  const [text = ""] = run.receipts;
  const withReceipts = (
    name: string,
    description: string,
    receipts: readonly string[],
    findings: Expected,
  ) => rejectVector(name, description, { keys, bundle: { ...run, receipts } }, findings);
  const spoiled = [...spoilForm(text), ...spoilSignature(text), ...spoilStatement(text)];
  return [
    ...spoiled.map(({ name, description, receipt, code }) =>
      withReceipts(name, description, [receipt], [{ code }, missing]),
    ),
    ...spoilKeys(run),
    withReceipts("receipt-missing", "A closed turn has no receipt.", [], [missing]),
    withReceipts(
      "receipt-twice",
      "A turn has two receipts.",
      [text, text],
      [{ code: "RECEIPT_DUPLICATE", turn: 1 }],
    ),
    withReceipts(
      "receipt-of-another-run",
      "The receipt is of another run.",
      other.receipts.slice(0, 1),
      [{ code: "RECEIPT_UNEXPECTED", turn: 1 }, missing],
    ),
    rejectVector(
      "receipt-of-an-open-turn",
      "There is a receipt for a turn that was never closed.",
      { keys, bundle: { ...waiting, receipts: [receiptFor(waiting)] } },
      [
        { code: "RECEIPT_UNEXPECTED", turn: 1 },
        { code: "RUN_UNSEALED", sequence: findSequence(waiting.events, "turn.started"), turn: 1 },
      ],
    ),
  ];
}

/** A receipt of the turn as if it had been closed by the last event. */
function receiptFor(run: MadeRun): string {
  const last = run.events.length;
  const content: JsonObject = {
    outcome: "completed",
    spending: { settled: { turns: 1 }, assumed: {}, open: {} },
    key: { id: DEMO_KEY.keyId, issuer: DEMO_KEY.issuer },
  };
  const events = run.events.map((event) =>
    event.sequence === last ? { ...event, type: "turn.closed", content } : event,
  );
  return sealRun({ ...run, events }).receipts[0] ?? "";
}
