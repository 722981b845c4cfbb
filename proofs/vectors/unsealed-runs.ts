/** Runs with an unsealed part: honest ones, and those that anybody can write without a key. */
import { type JsonObject, NO_SPENDING, type RawEvent, uuidFrom } from "@turnseal/protocol";
import { DEMO_KEY } from "@turnseal/protocol/receipts";
import { type Expected, type ReceiptVector, rejectVector } from "./receipt-vector.ts";
import { chainEvents, findSequence, type MadeRun, sealRun } from "./seal-events.ts";

const keys = [DEMO_KEY];

export interface RunsToLeaveOpen {
  /** A run of one turn, ended. */
  readonly one: MadeRun;
  /** A run whose first turn waits. */
  readonly waiting: MadeRun;
  /** A run of three turns. */
  readonly three: MadeRun;
}

export function leaveUnsealed({ one, waiting, three }: RunsToLeaveOpen): ReceiptVector[] {
  const second = findSequence(three.events, "turn.started", 2);
  const inSecond = { code: "TAIL_UNSEALED", sequence: second, turn: 2 } as const;
  const unsealed = { code: "RUN_UNSEALED", sequence: 3, turn: 1 } as const;
  return [
    reject("no-receipt-at-all-forged", "A run that nobody signed, with an approval.", forge(one), [
      unsealed,
    ]),
    reject("first-turn-is-open", "A turn waits for a person, and none was closed.", waiting, [
      { code: "RUN_UNSEALED", sequence: findSequence(waiting.events, "turn.started"), turn: 1 },
    ]),
    reject(
      "nothing-begun",
      "A run that was started and stopped: no turn of it was begun.",
      stop(one),
      [{ code: "RUN_UNSEALED" }],
    ),
    leaveOpen(
      "second-turn-is-open",
      "The first turn is sealed, the second is open.",
      {
        ...three,
        events: three.events.slice(0, second + 2),
        receipts: three.receipts.slice(0, 1),
      },
      [inSecond],
    ),
    ...writeTails(one),
    ...misdate(one, findSequence(one.events, "turn.closed")),
  ];
}

/** What stands after a genuine last receipt: words of the host, or what needs a seal. */
function writeTails(one: MadeRun): ReceiptVector[] {
  const closed = findSequence(one.events, "turn.closed");
  const tail = closed + 1;
  return [
    leaveOpen(
      "tail-with-an-approval",
      "Behind the last receipt somebody wrote a turn in which two people approve a payment.",
      addTail(cut(one, closed), tail, forgeTurn(one, 2)),
      [{ code: "TAIL_UNSEALED", sequence: tail + 1, turn: 2 }],
    ),
    reject(
      "tail-with-a-claim-not-granted",
      "In such a turn a tool is claimed that the grant does not name.",
      addTail(cut(one, closed), tail, claimOther(forgeTurn(one, 2))),
      [
        { code: "TAIL_UNSEALED", sequence: tail + 1, turn: 2 },
        { code: "EFFECT_WITHOUT_GRANT", sequence: tail + 7, turn: 2 },
        { code: "APPROVAL_MISMATCH", sequence: tail + 7, turn: 2 },
      ],
    ),
    reject(
      "tail-behind-the-end",
      "A turn is begun after the run has stopped.",
      addTail(one, one.events.length + 1, forgeTurn(one, 2).slice(1, 2)),
      [{ code: "STOP_ORDER", sequence: one.events.length + 1, turn: 2 }],
    ),
    reject(
      "tail-with-another-start",
      "The run is started once more, with whatever somebody likes.",
      addTail(one, tail, [
        { ...(one.events[0] as RawEvent), epoch: one.events[closed - 1]?.epoch ?? 1 },
      ]),
      [{ code: "EVENT_ORDER", sequence: tail }],
    ),
    reject(
      "tail-with-a-word-of-a-vendor",
      "An event that is no word of the host stands after the last receipt.",
      addTail(one, tail, [draft(one, "acme.paid", {})]),
      [{ code: "EVENT_MALFORMED", sequence: tail }],
    ),
    reject(
      "tail-with-a-claim-outside-a-turn",
      "A tool is claimed after the last turn was closed.",
      addTail(one, tail, [claimOf(one)]),
      [{ code: "EVENT_MALFORMED", sequence: tail }],
    ),
    reject(
      "tail-that-closes-a-turn",
      "A turn is begun and closed after the last receipt, without a receipt of its own.",
      addTail(one, tail, [
        ...forgeTurn(one, 2).slice(0, 2),
        { ...(one.events[closed - 1] as RawEvent), turn: 2, content: endOf(one, closed) },
      ]),
      [{ code: "RECEIPT_MISSING", turn: 2 }],
    ),
    {
      name: "tail-says-how-it-stopped",
      description: "What the host says after the last turn is not sealed, and is no fault.",
      input: { keys, bundle: addTail(cut(one, closed), tail, afterwords(one)) },
      expect: { verdict: "valid", valid: true, findings: [] },
    },
  ];
}

function misdate(one: MadeRun, closed: number): ReceiptVector[] {
  const moments = {
    "month-thirteen": "2026-13-01T00:00:00.000Z",
    "thirtieth-of-february": "2026-02-30T00:00:00.000Z",
    "twenty-ninth-of-february-in-2026": "2026-02-29T00:00:00.000Z",
    "hour-twenty-four": "2026-01-01T24:00:00.000Z",
    "second-sixty": "2026-01-01T00:00:60.000Z",
    "year-zero": "0000-01-01T00:00:00.000Z",
  };
  return Object.entries(moments).map(([name, at]) =>
    reject(
      name,
      `An event happened at ${at}, which is no moment.`,
      sealRun({
        ...one,
        events: one.events.map((event) => (event.sequence === closed ? { ...event, at } : event)),
      }),
      [{ code: "EVENT_MALFORMED", sequence: closed }, { code: "RECEIPT_MALFORMED" }],
    ),
  );
}

function draft(
  { run }: MadeRun,
  type: string,
  content: JsonObject,
  fields: Partial<RawEvent> = {},
): RawEvent {
  return {
    id: uuidFrom(`unsealed\n${run}\n${type}\n${JSON.stringify(content)}`),
    run,
    sequence: 0,
    epoch: 1,
    type,
    at: now,
    actor: { kind: "kernel", id: "kernel" },
    content,
    previous: "",
    hash: "",
    ...fields,
  };
}

/** Events of a turn, up to a payment that two people approve: all that is needed is a keyboard. */
function forgeTurn(run: MadeRun, turn: number): RawEvent[] {
  // The decision to continue stands before it.
  const first = turn === 1 ? 3 : findSequence(run.events, "turn.closed") + 2;
  const spending = (turn === 1 ? NO_SPENDING : spendingOf(run)) as unknown as JsonObject;
  const place = { turn, call: uuidFrom("forged call") };
  const reserve = { toolCalls: 1, effects: 1 };
  const request = { digest: `hmac-sha256:${"2".repeat(64)}`, size: 2, mediaType: "text/plain" };
  const deed = {
    ...{ action: "tool", tool: "local.add", build: "forged", term: "local.add", effect: "once" },
    ...{
      key: "forged",
      digest: `hmac-sha256:${"1".repeat(64)}`,
      role: "finance",
      reserve,
      request,
    },
  };
  const asked = {
    ...{ ...deed, loop: "local.add", version: "1.0.0", grant: `sha256:${"3".repeat(64)}` },
    ...{ approvers: 2, decideBy: later, useWithinMs: 60_000, onReject: "stop" },
  };
  const approval = first + 3;
  const said = { key: "forged", approval, choice: "approve", roles: ["finance"], receivedAt: now };
  const decide = (id: string): RawEvent =>
    draft(run, "approval.decided", said, { ...place, actor: { kind: "person", id } });
  const host = { actor: HOST };
  const goOn = { decision: "continue", reason: "first-turn", receipt: null };
  return [
    draft(run, "run.decided", goOn, host),
    draft(run, "turn.started", { ...startOf(run), spending }, { turn }),
    draft(run, "call.started", { loop: "add", version: "1.0.0" }, place),
    draft(run, "call.input.validated", { durationMs: 0 }, place),
    draft(run, "approval.requested", asked, place),
    decide("cfo"),
    decide("ceo"),
    draft(run, "action.claimed", { ...deed, approval, deadlineAt: later }, place),
  ];
}

function claimOther(events: readonly RawEvent[]): RawEvent[] {
  const claim = events.at(-1) as RawEvent;
  return events.with(-1, { ...claim, content: { ...claim.content, term: "local.other" } });
}

const HOST = { kind: "host", id: "host" } as const;
const [now, later] = ["2026-01-01T00:00:00.000Z", "2026-01-02T00:00:00.000Z"];

function startOf({ events }: MadeRun): JsonObject {
  return events[findSequence(events, "turn.started") - 1]?.content ?? {};
}

function spendingOf({ events }: MadeRun): unknown {
  const { spending } = events[findSequence(events, "turn.closed") - 1]?.content ?? {};
  return spending;
}

function endOf({ events }: MadeRun, closed: number): JsonObject {
  const content = events[closed - 1]?.content ?? {};
  const { spending } = content as { spending: { settled: { turns: number } } & JsonObject };
  const { settled, ...rest } = spending;
  const { output: _, ...end } = content;
  const why = { outcome: "cancelled", reason: "CANCELLED" };
  return {
    ...end,
    ...why,
    spending: { ...rest, settled: { ...settled, turns: settled.turns + 1 } },
  };
}

function claimOf(run: MadeRun): RawEvent {
  const {
    turn: _,
    call: __,
    ...claim
  } = run.events[findSequence(run.events, "action.claimed") - 1] as RawEvent;
  return { ...claim, content: { ...claim.content, key: "forged" } };
}

function forge(run: MadeRun): MadeRun {
  const events = [...run.events.slice(0, 1), ...forgeTurn(run, 1)];
  return { ...run, events: bindWords(events), receipts: [] };
}

function afterwords(run: MadeRun): RawEvent[] {
  const host = { actor: HOST };
  const person = { actor: { kind: "person", id: "bob" } } as const;
  const payload = { digest: `hmac-sha256:${"4".repeat(64)}`, size: 2, mediaType: "text/plain" };
  const signal = { kind: "signal", key: "s", name: "n", receivedAt: now, payload };
  return [
    draft(run, "signal.received", signal, person),
    draft(run, "run.blocked", { cause: "loop-missing", what: "refund 1.0.0" }, host),
    draft(run, "run.decided", { decision: "stop", reason: "goal-reached", receipt: null }, host),
    draft(run, "run.stopped", { reason: "goal-reached" }, host),
  ];
}

function stop(run: MadeRun): MadeRun {
  const events = [...run.events.slice(0, 1), ...afterwords(run)];
  return { ...run, events: chainEvents(events), receipts: [] };
}

function cut(run: MadeRun, last: number): MadeRun {
  return { ...run, events: run.events.slice(0, last) };
}

/** Events put in before a number, and all chained again: the receipts stay as they are. */
function addTail(run: MadeRun, sequence: number, tail: readonly RawEvent[]): MadeRun {
  return { ...run, events: bindWords(run.events.toSpliced(sequence - 1, 0, ...tail)) };
}

/** Chains events; people's answers are bound to their requests. */
function bindWords(events: readonly RawEvent[]): RawEvent[] {
  const chained = chainEvents(events);
  const bound = chained.map((event) => {
    const { approval } = event.content;
    const hash = chained[Number(approval) - 1]?.hash;
    const isWord = event.type === "approval.decided" && hash !== undefined;
    return isWord ? { ...event, content: { ...event.content, hash } } : event;
  });
  return chainEvents(bound);
}

function reject(
  name: string,
  description: string,
  bundle: MadeRun,
  findings: Expected,
): ReceiptVector {
  return rejectVector(name, description, { keys, bundle }, findings);
}

function leaveOpen(
  name: string,
  description: string,
  bundle: MadeRun,
  findings: Expected,
): ReceiptVector {
  const { expect, ...vector } = reject(name, description, bundle, findings);
  return { ...vector, expect: { ...expect, verdict: "open" } };
}
