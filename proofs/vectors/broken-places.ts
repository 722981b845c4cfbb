/** Runs that are chained, signed and added up, with events where no kernel writes them. */
import { type JsonObject, type RawEvent, uuidFrom } from "@turnseal/protocol";
import { DEMO_KEY } from "@turnseal/protocol/receipts";
import { type Expected, type ReceiptVector, rejectVector } from "./receipt-vector.ts";
import { chainEvents, editEvent, findSequence, type MadeRun, sealRun } from "./seal-events.ts";

/** Spoils a run of one turn, in which one call used one tool. */
export function breakPlaces(one: MadeRun): ReceiptVector[] {
  const at = (sequence: number) => [{ code: "TURN_ORDER", sequence, turn: 1 }] as const;
  const [claim, closed] = ["action.claimed", "turn.closed"].map((type) =>
    findSequence(one.events, type),
  ) as [number, number];
  // Each call below the root one has three events, and starts at the second of them.
  const nested = claim + 31 * 3 + 1;
  const output = findSequence(one.events, "call.output.validated");
  return [
    reject("calls-too-deep", "Calls nest 33 deep.", at(nested), {
      ...one,
      events: one.events.toSpliced(claim - 1, 0, ...nestCalls(one.events, 33)),
    }),
    reject(
      "child-acts-after-root",
      "A call acts after the root call is completed.",
      at(closed + 3),
      {
        ...one,
        events: actAfterRoot(one.events, { output, closed }),
      },
    ),
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

/** Spoils what the host decides on turns, in a run of one turn and one of two. */
export function breakTurns({ one, two }: Readonly<Record<"one" | "two", MadeRun>>) {
  const second = findSequence(two.events, "turn.started", 2);
  const decided = findSequence(one.events, "turn.closed") + 1;
  return [
    reject(
      "turns-over-bound",
      "A second turn starts, and the bound is one.",
      [{ code: "BUDGET_EXCEEDED", turn: 2, sequence: second }],
      boundTurns(two, 1),
    ),
    rejectVector(
      "decided-for-another-receipt",
      "A decision names another receipt than that of the turn before it.",
      { keys: [DEMO_KEY], bundle: decideOn(one, decided) },
      [{ code: "RECEIPT_MISMATCH", sequence: decided }],
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

/** Calls of one loop below each other, so that the last stands at this depth. */
function nestCalls(events: readonly RawEvent[], depth: number): RawEvent[] {
  const [started, validated] = ["call.started", "call.input.validated"].map(
    (type) => events[findSequence(events, type) - 1],
  ) as [RawEvent, RawEvent];
  const { loop = "" } = started.content;
  const nested: RawEvent[] = [];
  let above: { readonly call: string; readonly parentCall?: string } = { call: started.call ?? "" };
  for (let level = 2; level <= depth; level++) {
    const child = uuidFrom(`nested call ${level}`);
    const below = { call: child, parentCall: above.call };
    const drafts = [
      { ...started, ...above, type: "child.started", content: { child, loop, step: 0 } },
      { ...started, ...below },
      { ...validated, ...below },
    ];
    for (const draft of drafts)
      nested.push({ ...draft, id: uuidFrom(`nested event ${nested.length}`), at: validated.at });
    above = below;
  }
  return nested;
}

/** A call begins below the root call, and claims a tool when that is completed. */
function actAfterRoot(
  events: readonly RawEvent[],
  { output, closed }: { readonly output: number; readonly closed: number },
): RawEvent[] {
  const child = nestCalls(events, 2);
  const last = child.at(-1) as RawEvent;
  const end = events[closed - 1] as RawEvent;
  const { type, content } = events[findSequence(events, "action.claimed") - 1] as RawEvent;
  const late = { ...last, type, content, at: end.at, id: uuidFrom("late event") };
  return [
    ...events.slice(0, output - 1),
    ...child,
    ...events.slice(output - 1, closed - 1),
    late,
    ...events.slice(closed - 1),
  ];
}

/** A later worker writes this event and all that follow. */
function raiseEpoch(events: readonly RawEvent[], from: number): RawEvent[] {
  return events.map((event) =>
    event.sequence < from ? event : { ...event, epoch: event.epoch + 1 },
  );
}

function boundTurns(run: MadeRun, turnsMax: number): MadeRun {
  const { spec } = (run.events[0]?.content ?? {}) as { spec: { bounds: JsonObject } };
  const bounded = { ...spec, bounds: { ...spec.bounds, turnsMax } };
  return { ...run, events: editEvent(run.events, 1, { spec: bounded }) };
}

/** The decision behind the turn names a receipt that nobody has made. */
function decideOn(run: MadeRun, decided: number): MadeRun {
  const { events, ...sealed } = sealRun(run);
  const receipt = `sha256:${"0".repeat(64)}`;
  return { ...sealed, events: chainEvents(editEvent(events, decided, { receipt })) };
}
