/**
 * People's messages after a run has stopped, about actions with an unknown end: valid ones, invalid
 * ones, and other events that may not stand there.
 */
import { type JsonObject, type RawEvent, uuidFrom } from "@turnseal/protocol";
import { DEMO_KEY } from "@turnseal/protocol/receipts";
import { type Expected, type ReceiptVector, rejectVector } from "./receipt-vector.ts";
import { chainEvents, editEvent, findSequence, type MadeRun, sealRun } from "./seal-events.ts";

const keys = [DEMO_KEY];

export interface EndedRuns {
  /** Cancelled while a tool acted: event 6 is its claim, and event 12 the stop. */
  readonly cancelled: MadeRun;
  /** Stopped after the time of its turn was over: event 6 is its claim, and event 11 the stop. */
  readonly timedOut: MadeRun;
  /** Its tool was settled: event 6 is its claim, and event 12 the stop. */
  readonly one: MadeRun;
  /** A person gave the action up in its turn: event 6 is its claim, and event 17 the stop. */
  readonly abandoned: MadeRun;
  /** A run of two turns. */
  readonly two: MadeRun;
}

export function speakLate(runs: EndedRuns): ReceiptVector[] {
  const { cancelled, timedOut } = runs;
  const named = governClaim(cancelled, { role: "finance", excluded: ["bob"] });
  return [
    accept("happened", "It happened, and its run had been cancelled.", say(cancelled)),
    accept("never", "It did not happen.", say(cancelled, { resolution: "never" })),
    accept("abandoned", "It cannot be found out.", say(cancelled, { resolution: "abandon" })),
    accept("after-a-timeout", "The run stopped since its end was not known.", say(timedOut)),
    accept(
      "by-whoever-was-to-be-asked",
      "The claim names a role, and excludes somebody else.",
      say(named, { roles: ["finance"] }),
    ),
    ...sayWrong(runs),
    ...sayUnbound(named),
    ...goOn(cancelled),
    goOnSealed(runs.two),
  ];
}

/** Words on what is not unknown, or that nobody can say. */
function sayWrong({ cancelled, timedOut, one, abandoned }: EndedRuns): ReceiptVector[] {
  const noClaim = (sequence: number): Expected => [{ code: "EFFECT_WITHOUT_CLAIM", sequence }];
  const noWord: Expected = [{ code: "APPROVAL_VOID", sequence: 13 }];
  const malformed: Expected = [{ code: "EVENT_MALFORMED", sequence: 13 }];
  const other = wordOn(timedOut).content;
  return [
    reject("said-twice", "Two people say what became of it.", say(say(cancelled), {}, "eve"), [
      { code: "EFFECT_WITHOUT_CLAIM", sequence: 14 },
    ]),
    reject("settled", "Its tool has answered.", say(one), noClaim(13)),
    reject("resolved", "A person has given it up before.", say(abandoned), noClaim(18)),
    reject(
      "of-another-run",
      "The claim is that of another run.",
      say(cancelled, other),
      noClaim(13),
    ),
    reject(
      "of-what-only-reads",
      "A tool that only reads leaves nothing unknown.",
      say(governClaim(cancelled, { effect: "read" })),
      noClaim(13),
    ),
    reject("retried", "Nothing acts any more.", say(cancelled, { resolution: "retry" }), malformed),
    reject(
      "of-another-hash",
      "It is not bound to its claim.",
      say(cancelled, { claimHash: "0".repeat(64) }),
      noWord,
    ),
    reject("by-the-kernel", "No person says it.", add(cancelled, byKernel(cancelled)), malformed),
  ];
}

function sayUnbound(named: MadeRun): ReceiptVector[] {
  const noWord: Expected = [{ code: "APPROVAL_VOID", sequence: 13 }];
  const roles = ["finance"];
  return [
    reject(
      "without-the-role",
      "Whoever says it lacks the role.",
      say(named, { roles: [] }),
      noWord,
    ),
    reject("by-the-excluded", "Whoever says it is excluded.", say(named, { roles }, "bob"), noWord),
  ];
}

/** Other events after the stop, and a late message that is not late. */
function goOn(cancelled: MadeRun): ReceiptVector[] {
  const stopped = cancelled.events.at(-1) as RawEvent;
  const outOfOrder: Expected = [{ code: "STOP_ORDER", sequence: 13 }];
  const payload = { digest: `hmac-sha256:${"6".repeat(64)}`, size: 2, mediaType: "text/plain" };
  const signal = { kind: "signal", key: "s", name: "n", receivedAt: stopped.at, payload };
  const early = cancelled.events.toSpliced(11, 0, { ...wordOn(cancelled), epoch: stopped.epoch });
  const late = say(cancelled);
  return [
    reject(
      "before-the-stop",
      "What is said after the end stands before it.",
      { ...cancelled, events: chainEvents(early) },
      [{ code: "STOP_ORDER", sequence: 12 }],
    ),
    reject(
      "signal-after-the-stop",
      "A signal is taken in after the run has stopped.",
      add(cancelled, { ...wordOn(cancelled), type: "signal.received", content: signal }),
      outOfOrder,
    ),
    reject("stopped-twice", "The run stops once more.", add(cancelled, stopped), outOfOrder),
    reject(
      "stopped-after-the-word",
      "The run stops again, after a word that counts.",
      add(late, { ...stopped, epoch: stopped.epoch + 1 }),
      [{ code: "STOP_ORDER", sequence: 14 }],
    ),
    reject(
      "in-a-turn",
      "The word is put into the turn of its claim, which is closed.",
      add(cancelled, { ...wordOn(cancelled), turn: 1 }),
      [{ code: "TURN_ORDER", sequence: 13, turn: 1 }],
    ),
  ];
}

/** A turn after the stop, with a receipt as good as any: the run had ended. */
function goOnSealed(two: MadeRun): ReceiptVector {
  const second = findSequence(two.events, "turn.started", 2);
  const stopped = two.events.at(-1) as RawEvent;
  const { epoch } = two.events[second - 1] as RawEvent;
  const decided = two.events.at(-2) as RawEvent;
  // In the place of the decision to continue.
  const end = [decided, stopped].map((event) => ({ ...event, epoch }));
  const events = two.events.slice(0, -2).toSpliced(second - 2, 1, ...end);
  return reject(
    "sealed-turn-after-the-stop",
    "The run stops, and takes another turn all the same, which is sealed.",
    sealRun({ ...two, events }),
    [{ code: "STOP_ORDER", sequence: second + 1, turn: 2 }],
  );
}

/** What a person says of the first claim of a run, after its last event. */
function wordOn({ run, events }: MadeRun, facts: JsonObject = {}, id = "dana"): RawEvent {
  const claim = events[findSequence(events, "action.claimed") - 1] as RawEvent;
  const { epoch = 1, at = "" } = events.at(-1) ?? {};
  const { key = "" } = claim.content;
  const content = {
    ...{ key, claim: claim.sequence, claimHash: claim.hash, resolution: "happened" },
    ...facts,
  };
  return {
    ...{ id: uuidFrom(`late\n${run}\n${events.length}`), run, sequence: 0, epoch: epoch + 1 },
    ...{ type: "run.resolved", at, actor: { kind: "person", id }, content },
    ...{ previous: "", hash: "" },
  };
}

function byKernel(run: MadeRun): RawEvent {
  return { ...wordOn(run), actor: { kind: "kernel", id: "kernel" } };
}

/** The receipts stay as they are: late resolutions are not sealed. */
function add(run: MadeRun, event: RawEvent): MadeRun {
  return { ...run, events: chainEvents([...run.events, event]) };
}

function say(run: MadeRun, facts?: JsonObject, id?: string): MadeRun {
  return add(run, wordOn(run, facts, id));
}

/** The claim says something else, and all is sealed again. */
function governClaim(run: MadeRun, content: JsonObject): MadeRun {
  const claim = findSequence(run.events, "action.claimed");
  return sealRun({ ...run, events: editEvent(run.events, claim, content) });
}

function accept(name: string, description: string, bundle: MadeRun): ReceiptVector {
  const expect = { verdict: "valid", valid: true, findings: [] } as const;
  return { name: `late-${name}`, description, input: { keys, bundle }, expect };
}

function reject(
  name: string,
  description: string,
  bundle: MadeRun,
  findings: Expected,
): ReceiptVector {
  return rejectVector(`late-${name}`, description, { keys, bundle }, findings);
}
