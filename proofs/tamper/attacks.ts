/** Where the schema or the grammar refuses what was written. */
const READ = ["EVENT_MALFORMED", "EVENT_ORDER", "TURN_ORDER", "STOP_ORDER"] as const;

/**
 * Every change that somebody without the key can make to a run: to receipts, to events, and by
 * exchanging one for another.
 *
 * Events after the last receipt are chained and not sealed. That the very last of them is gone, or
 * says otherwise how the run stopped, cannot be seen, so it is not among the attempts
 * (spec/receipt.md §6.7).
 */
import { isDeepStrictEqual } from "node:util";
import { hashEvent, type RawEvent } from "@turnseal/protocol";
import { createSeededSigner } from "../vectors/demo-signer.ts";
import type { MadeRun } from "../vectors/seal-events.ts";
import { signedBy } from "../vectors/spoiled-keys.ts";
import type { Attack, Attempt, SealedEvent, SealedRun } from "./attack.ts";

const ofReceipts = [
  "RECEIPT_MALFORMED",
  "RECEIPT_NOT_CANONICAL",
  "RECEIPT_TYPE_UNKNOWN",
  "SIGNATURE_INVALID",
  "KEY_UNKNOWN",
] as const;

export function listAttacks(runs: readonly SealedRun[]): Attack[] {
  return [
    { name: "flip a byte of a receipt", codes: ofReceipts, attempts: each(runs, flipBytes) },
    {
      name: "cut a receipt short",
      codes: ["RECEIPT_MALFORMED"],
      attempts: each(runs, cutReceipts),
    },
    {
      name: "edit an event",
      codes: ["CHAIN_HASH", "EVENT_MALFORMED"],
      attempts: each(runs, editEvents),
    },
    {
      name: "edit an event and hash it again",
      codes: ["CHAIN_PREVIOUS", "RECEIPT_MISMATCH", ...READ],
      attempts: each(runs, rehashEvents),
    },
    {
      name: "edit an event and hash all after it again",
      codes: ["RECEIPT_MISMATCH", ...READ],
      attempts: each(runs, rewriteChain),
    },
    { name: "drop an event", codes: ["CHAIN_GAP"], attempts: each(runs, dropEvents) },
    { name: "swap two events", codes: ["CHAIN_GAP"], attempts: each(runs, swapEvents) },
    { name: "insert an event again", codes: ["CHAIN_GAP"], attempts: each(runs, insertEvents) },
    { name: "drop a receipt", codes: ["RECEIPT_MISSING"], attempts: each(runs, dropReceipts) },
    {
      name: "repeat a receipt",
      codes: ["RECEIPT_DUPLICATE"],
      attempts: each(runs, repeatReceipts),
    },
    {
      name: "receipt of another run",
      codes: ["RECEIPT_UNEXPECTED"],
      attempts: exchange(runs, (run, other) => ({ ...run, receipts: other.receipts })),
    },
    {
      name: "events of another run",
      codes: ["CHAIN_RUN"],
      attempts: exchange(runs, (run, other) => ({ ...run, events: other.events })),
    },
    { name: "another key", codes: ["KEY_UNKNOWN"], attempts: each(runs, exchangeKey) },
    { name: "key under a wrong name", codes: ["KEY_MISNAMED"], attempts: each(runs, misnameKey) },
    {
      name: "signed with another key",
      codes: ["KEY_UNKNOWN"],
      attempts: each(runs, signOtherwise),
    },
    {
      name: "turn of their own after the last receipt",
      codes: ["TAIL_UNSEALED", ...READ],
      attempts: each(runs, appendTurn),
    },
    {
      name: "run that nobody signed",
      codes: ["RUN_UNSEALED"],
      attempts: each(runs, signNothing),
    },
    {
      name: "older log behind a newer receipt",
      codes: ["RECEIPT_AHEAD"],
      attempts: each(runs, truncate),
    },
  ];
}

function* each(runs: readonly SealedRun[], change: (run: SealedRun) => Iterable<Partial<Attempt>>) {
  for (const run of runs) {
    for (const changed of change(run)) yield { bundle: run.bundle, keys: run.keys, ...changed };
  }
}

/** Each run with something of the one after it. */
function* exchange(
  runs: readonly SealedRun[],
  change: (run: SealedRun["bundle"], other: SealedRun["bundle"]) => unknown,
): Iterable<Attempt> {
  for (const [index, { bundle, keys }] of runs.entries()) {
    const isOther = (candidate: SealedRun): boolean =>
      candidate.bundle.run !== bundle.run && isDeepStrictEqual(candidate.keys, keys);
    const other = runs.slice(index + 1).find(isOther);
    if (other !== undefined) yield { bundle: change(bundle, other.bundle), keys };
  }
}

function* flipBytes({ bundle }: SealedRun): Iterable<Partial<Attempt>> {
  for (const [index, text] of bundle.receipts.entries()) {
    for (let place = 0; place < text.length; place++) {
      const flipped = String.fromCharCode(text.charCodeAt(place) ^ (1 << (place % 7)));
      const receipt = text.slice(0, place) + flipped + text.slice(place + 1);
      yield { bundle: { ...bundle, receipts: bundle.receipts.with(index, receipt) }, receipt };
    }
  }
}

function* cutReceipts({ bundle }: SealedRun): Iterable<Partial<Attempt>> {
  for (const [index, text] of bundle.receipts.entries()) {
    const cut = text.trimEnd().slice(0, -1);
    yield { bundle: { ...bundle, receipts: bundle.receipts.with(index, cut) } };
  }
}

/** The run with other events, one attempt for each event up to a number. */
function* perEvent(
  { bundle }: SealedRun,
  until: number,
  change: (events: readonly SealedEvent[], index: number) => readonly unknown[],
): Iterable<Partial<Attempt>> {
  for (let index = 0; index < until; index++)
    yield { bundle: { ...bundle, events: change(bundle.events, index) } };
}

const edit = (event: SealedEvent | undefined): object => ({ ...event, type: "turn.forged" });

function editEvents(run: SealedRun) {
  return perEvent(run, run.bundle.events.length, (events, index) =>
    events.map((event, place) => (place === index ? edit(event) : event)),
  );
}

function rehashEvents(run: SealedRun) {
  return perEvent(run, run.sealedUntil, (events, index) =>
    rehash(events, index, (place) => place === index),
  );
}

function rewriteChain(run: SealedRun) {
  // Without its turn.closed a turn would only be open, and its receipt one too many.
  return perEvent(run, run.sealedUntil, (events, index) => rehash(events, index, () => true));
}

/** Changes one event and makes the hashes of some good again. */
function rehash(
  events: readonly SealedEvent[],
  index: number,
  isHashed: (place: number) => boolean,
): unknown[] {
  let previous = "";
  return events.map((event, place) => {
    const changed = place === index ? { ...event, forged: true } : event;
    const isNew = place >= index && isHashed(place);
    const linked = isNew && place > index ? { ...changed, previous } : changed;
    const hash = isNew ? hashEvent(linked as unknown as RawEvent) : event.hash;
    previous = hash;
    return { ...linked, hash };
  });
}

function dropEvents(run: SealedRun) {
  return perEvent(run, run.bundle.events.length - 1, (events, index) => events.toSpliced(index, 1));
}

function swapEvents(run: SealedRun) {
  return perEvent(run, run.bundle.events.length - 1, (events, index) =>
    events.map((event, place) =>
      place === index ? events[index + 1] : place === index + 1 ? events[index] : event,
    ),
  );
}

function insertEvents(run: SealedRun) {
  return perEvent(run, run.bundle.events.length, (events, index) => [
    ...events.slice(0, index + 1),
    ...events.slice(index),
  ]);
}

function* dropReceipts({ bundle }: SealedRun): Iterable<Partial<Attempt>> {
  for (const index of bundle.receipts.keys())
    yield { bundle: { ...bundle, receipts: bundle.receipts.toSpliced(index, 1) } };
}

function* repeatReceipts({ bundle }: SealedRun): Iterable<Partial<Attempt>> {
  for (const text of bundle.receipts)
    yield { bundle: { ...bundle, receipts: [...bundle.receipts, text] } };
}

/** The first turn once more, up to each of its events, where no receipt reaches. */
function* appendTurn({ bundle, sealedUntil }: SealedRun): Iterable<Partial<Attempt>> {
  const { events } = bundle;
  for (const after of new Set([sealedUntil, events.length])) {
    const turn = forgeTurn(bundle, after);
    for (let count = 1; count <= turn.length; count++) {
      const tail = [...turn.slice(0, count), ...events.slice(after)];
      yield { bundle: { ...bundle, events: chainAgain([...events.slice(0, after), ...tail]) } };
    }
  }
}

/** The first turn as the next one: its amounts follow, and its claims are named by their places. */
function forgeTurn({ events, receipts }: SealedRun["bundle"], after: number): SealedEvent[] {
  const log = events as unknown as readonly RawEvent[];
  const moved = after + 1 - (turnOf(events)[0]?.sequence ?? 0);
  const { spending = null } = log.findLast(({ type }) => type === "turn.closed")?.content ?? {};
  return turnOf(events).map((event) => {
    const { content, ...rest } = event as unknown as RawEvent;
    const { claim } = content;
    const facts = {
      ...(typeof claim === "number" ? { claim: claim + moved } : {}),
      ...(event.type === "turn.started" ? { spending } : {}),
    };
    return { ...rest, turn: receipts.length + 1, content: { ...content, ...facts } };
  });
}

/** The first turn up to each of its events, without a receipt. */
function* signNothing({ bundle }: SealedRun): Iterable<Partial<Attempt>> {
  const { events } = bundle;
  const first = events.findIndex(({ type }) => type === "turn.started");
  for (let count = 1; count <= turnOf(events).length; count++)
    yield { bundle: { ...bundle, events: events.slice(0, first + count), receipts: [] } };
}

function turnOf(events: readonly SealedEvent[]): readonly SealedEvent[] {
  const [first, closed] = ["turn.started", "turn.closed"].map((name) =>
    events.findIndex(({ type }) => type === name),
  );
  return events.slice(first, closed);
}

/** Numbers, links and hashes events again, which takes no key; the latest epoch writes the tail. */
function chainAgain(events: readonly SealedEvent[]): unknown[] {
  let [previous, epoch] = ["", 0];
  return events.map((event, index) => {
    const written = event as unknown as RawEvent;
    epoch = Math.max(epoch, written.epoch);
    const { hash: _, ...draft } = { ...written, epoch, sequence: index + 1, previous };
    previous = hashEvent(draft as RawEvent);
    return { ...draft, hash: previous };
  });
}

const stranger = createSeededSigner(9);

function exchangeKey(): Iterable<Partial<Attempt>> {
  return [{ keys: [stranger.publicKey] }, { keys: [] }];
}

function misnameKey({ keys }: SealedRun): Iterable<Partial<Attempt>> {
  return [{ keys: keys.map((key) => ({ ...key, x: stranger.publicKey.x })) }];
}

/** The whole first turn sealed again by somebody whom nobody trusts. */
function signOtherwise({ bundle }: SealedRun): Iterable<Partial<Attempt>> {
  return [{ bundle: signedBy(bundle as unknown as MadeRun, 9) }];
}

function* truncate({ bundle, sealedUntil }: SealedRun): Iterable<Partial<Attempt>> {
  for (let last = 1; last < sealedUntil; last++)
    yield { bundle: { ...bundle, events: bundle.events.slice(0, last) } };
}
