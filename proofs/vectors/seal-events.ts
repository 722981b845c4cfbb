/**
 * Makes chains and receipts by hand, also wrong ones: what a kernel that errs, or a thief of a key,
 * could make.
 */
import {
  canonicalize,
  hashEvent,
  isPlainObject,
  type JsonObject,
  type RawEvent,
} from "@turnseal/protocol";
import {
  buildStatement,
  encodeForSigning,
  PAYLOAD_TYPE,
  type RunBundle,
  receiptId,
  toBase64,
} from "@turnseal/protocol/receipts";
import { createSeededSigner, type SeededSigner } from "./demo-signer.ts";

/** A run with events that are known to be such. */
export interface MadeRun extends Omit<RunBundle, "events"> {
  readonly events: readonly RawEvent[];
}

export interface MadeReceipt {
  readonly id: string;
  readonly text: string;
}

/** Numbers, links and hashes events again. */
export function chainEvents(events: readonly RawEvent[]): RawEvent[] {
  let previous = "";
  const moved = new Map<unknown, JsonObject>();
  return events.map((event, index) => {
    const sequence = index + 1;
    const content = followMoved(event.content, moved);
    const { hash: before, ...draft } = { ...event, content, sequence, previous };
    previous = hashEvent(draft);
    moved.set(before, { sequence, hash: previous });
    return { ...draft, hash: previous };
  });
}

/** Updates references to the event that started the turn. */
function followMoved(content: JsonObject, moved: ReadonlyMap<unknown, JsonObject>): JsonObject {
  const { trigger, signal } = content;
  return {
    ...content,
    ...(isPlainObject(trigger) ? { trigger: { ...trigger, ...moved.get(trigger["hash"]) } } : {}),
    ...(isPlainObject(signal) ? { signal: { ...signal, ...moved.get(signal["hash"]) } } : {}),
  };
}

/** Signs any statement. */
export function signStatement(statement: unknown, signer: SeededSigner): MadeReceipt {
  const payload = new TextEncoder().encode(canonicalize(statement));
  return signPayload(payload, signer);
}

/** Signs any bytes. */
export function signPayload(payload: Uint8Array, signer: SeededSigner): MadeReceipt {
  const sig = toBase64(signer.signNow(encodeForSigning(PAYLOAD_TYPE, payload)));
  const text = canonicalize({
    payloadType: PAYLOAD_TYPE,
    payload: toBase64(payload),
    signatures: [{ keyid: signer.keyId, sig }],
  });
  return { id: receiptId(payload), text };
}

export interface SealOptions {
  readonly signer?: SeededSigner;
  /** False leaves the receipt that a turn says it follows as it is. */
  readonly relink?: boolean;
}

/** Chains events and seals every closed turn again. */
export function sealRun(run: MadeRun, options: SealOptions = {}): MadeRun {
  const { signer = createSeededSigner(), relink = true } = options;
  const receipts: string[] = [];
  let events = chainEvents(run.events);
  let previous: string | null = null;
  for (let index = 0; index < events.length; index++) {
    const event = events[index];
    if (event === undefined) continue;
    if (event.type === "turn.started" && relink)
      events = chainEvents(editEvent(events, index + 1, { previousReceipt: previous }));
    // A decision goes on naming the receipt of the turn before it.
    const { receipt } = event.content;
    if (event.type === "run.decided" && receipt !== null)
      events = chainEvents(editEvent(events, index + 1, { receipt: previous }));
    if (event.type !== "turn.closed") continue;
    const first = events.slice(0, index).findLastIndex(({ type }) => type === "turn.started");
    const { id, text } = signStatement(buildStatement(events.slice(first, index + 1)), signer);
    receipts.push(text);
    previous = id;
  }
  return { ...run, events, receipts };
}

/** Replaces fields of one event's content. */
export function editEvent(
  events: readonly RawEvent[],
  sequence: number,
  content: JsonObject,
): RawEvent[] {
  return events.map((event) =>
    event.sequence === sequence ? { ...event, content: { ...event.content, ...content } } : event,
  );
}

/** The sequence number of the event of a type, counted from one. */
export function findSequence(events: readonly RawEvent[], type: string, nth = 1): number {
  const found = events.filter((event) => event.type === type)[nth - 1];
  if (found === undefined) throw new Error(`there is no event ${type} number ${nth}`);
  return found.sequence;
}
