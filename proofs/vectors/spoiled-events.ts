/** Runs whose events were changed after the fact, by somebody without the key. */
import type { RawEvent } from "@turnseal/protocol";
import { DEMO_KEY } from "@turnseal/protocol/receipts";
import { type Expected, type ReceiptVector, rejectVector } from "./receipt-vector.ts";
import { chainEvents, editEvent, findSequence, type MadeRun } from "./seal-events.ts";

const keys = [DEMO_KEY];

export function spoilEvents(run: MadeRun, other: MadeRun, twoTurns: MadeRun): ReceiptVector[] {
  return [
    ...spoilOrder(run, other),
    ...spoilEvent(run),
    ...rewriteEvents(run),
    ...loseEvents(run, twoTurns),
  ];
}

function reject(
  run: MadeRun,
  { name, description, events }: { name: string; description: string; events: unknown },
  findings: Expected,
): ReceiptVector {
  return rejectVector(name, description, { keys, bundle: { ...run, events } }, findings);
}

/** Events that are as they were, and not where they were. */
function spoilOrder(run: MadeRun, other: MadeRun): ReceiptVector[] {
  const { events } = run;
  const claim = findSequence(events, "action.claimed");
  const spoil = (name: string, description: string, changed: unknown, found: Expected) =>
    reject(run, { name, description, events: changed }, found);
  const copy = events[claim - 1] as RawEvent;
  const next = events[claim] as RawEvent;
  const foreign = other.events[claim - 1] as RawEvent;
  const gap = [{ code: "CHAIN_GAP", sequence: claim }] as const;
  return [
    spoil("event-dropped", "An event is missing.", events.toSpliced(claim - 1, 1), gap),
    spoil("events-swapped", "Two changed places.", events.toSpliced(claim - 1, 2, next, copy), gap),
    spoil("event-inserted", "An event is there twice.", events.toSpliced(claim, 0, copy), [
      { code: "CHAIN_GAP", sequence: claim + 1 },
    ]),
    spoil("event-of-another-run", "One is of another run.", events.with(claim - 1, foreign), [
      { code: "CHAIN_RUN", sequence: claim },
    ]),
  ];
}

/** One event that is not as it was. */
function spoilEvent(run: MadeRun): ReceiptVector[] {
  const { events } = run;
  const claim = findSequence(events, "action.claimed");
  const spoil = (
    name: string,
    description: string,
    fields: object,
    code: Expected[number]["code"],
  ) => {
    const changed = { ...events[claim - 1], ...fields } as RawEvent;
    const given = { name, description, events: events.with(claim - 1, changed) };
    return reject(run, given, [{ code, sequence: claim }]);
  };
  return [
    spoil(
      "event-edited",
      "One field was changed.",
      { at: "2026-01-01T00:00:01.000Z" },
      "CHAIN_HASH",
    ),
    spoil("event-without-content", "It has no content.", { content: null }, "EVENT_MALFORMED"),
    spoil("event-time-form", "Its time has another form.", { at: "2026-01-01" }, "EVENT_MALFORMED"),
    spoil("event-lone-surrogate", "It cannot be hashed.", { id: "\ud800" }, "EVENT_MALFORMED"),
  ];
}

/** Events that were changed and hashed again, as far as the attacker went. */
function rewriteEvents(run: MadeRun): ReceiptVector[] {
  const { events } = run;
  const claim = findSequence(events, "action.claimed");
  const settled = findSequence(events, "action.settled");
  const closed = findSequence(events, "turn.closed");
  const rehashed = chainEvents(editEvent(events, claim, { tool: "local.other" }));
  const justOne = events.with(claim - 1, rehashed[claim - 1] as RawEvent);
  const before = { ...events[claim - 1], epoch: 0 } as RawEvent;
  const ended = chainEvents(editEvent(events, closed, { unit: "toolCalls" }));
  const spoil = (name: string, description: string, changed: unknown, found: Expected) =>
    reject(run, { name, description, events: changed }, found);
  return [
    spoil("event-rehashed", "One was changed and hashed again.", justOne, [
      { code: "CHAIN_PREVIOUS", sequence: claim + 1 },
    ]),
    spoil("epoch-backwards", "The epoch goes back.", chainEvents(events.with(claim - 1, before)), [
      { code: "CHAIN_EPOCH", sequence: claim },
    ]),
    spoil("chain-rewritten", "One was changed and all after it hashed again.", rehashed, [
      { code: "RECEIPT_MISMATCH", turn: 1, sequence: 1 },
      { code: "EFFECT_WITHOUT_GRANT", turn: 1, sequence: claim },
    ]),
    spoil("end-rewritten", "The end of the turn was changed and hashed again.", ended, [
      { code: "RECEIPT_MISMATCH", turn: 1, sequence: settled + 1 },
    ]),
  ];
}

/** Events that are gone. */
function loseEvents(run: MadeRun, twoTurns: MadeRun): ReceiptVector[] {
  const older = twoTurns.events.slice(0, findSequence(twoTurns.events, "turn.closed") + 1);
  const none = { name: "no-events", description: "A receipt without any event.", events: [] };
  const other = { name: "events-not-a-list", description: "The events are no list.", events: {} };
  const behind = {
    name: "older-log",
    description: "An older copy of the log stands behind a newer receipt.",
    events: older,
  };
  return [
    reject(run, none, [{ code: "BUNDLE_MALFORMED" }]),
    reject(run, other, [{ code: "BUNDLE_MALFORMED" }]),
    reject(twoTurns, behind, [{ code: "RECEIPT_AHEAD", turn: 2, sequence: older.length + 1 }]),
  ];
}
