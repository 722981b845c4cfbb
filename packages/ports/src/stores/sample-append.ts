/** Well-formed things to store, for the contracts. */
import { EMPTY_HEAD, type Head, hashEvent, type LoopEvent, sha256Hex } from "@turnseal/protocol";
import type { Blob } from "./blob-store/blob-store.ts";
import type { Append } from "./event-log/event-log.ts";
import type { InboxMessage } from "./inbox/inbox.ts";
import type { StoredReceipt } from "./receipt-store/receipt-store.ts";
import type { RunSnapshot, WaitingRow } from "./run-store/run-store.ts";
import type { Stores } from "./stores.ts";

export const SAMPLE_RUN = "2f1d9a52-8f3a-4c0e-9b7d-0d5f0a1b2c3d";
export const OTHER_RUN = "7c3e1d40-52aa-4d1f-8a6b-91e0c4b7f2aa";

export interface SampleChain {
  readonly run?: string;
  readonly epoch: number;
  readonly after?: Head;
  readonly count?: number;
  /** Sets two chains apart that are equal otherwise. */
  readonly note?: string;
}

/** Events that follow one another, and `after`. */
export function sampleEvents({
  run = SAMPLE_RUN,
  epoch,
  after = EMPTY_HEAD,
  count = 1,
  note = "",
}: SampleChain): LoopEvent[] {
  let head = after;
  return Array.from({ length: count }, () => {
    const sequence = head.sequence + 1;
    const unsigned = {
      id: "11111111-1111-4111-8111-111111111111",
      run,
      sequence,
      epoch,
      type: "run.blocked" as const,
      at: "2026-01-31T12:00:00.000Z",
      actor: { kind: "kernel", id: "kernel" } as const,
      content: { cause: "error", what: note } as const,
      previous: head.hash,
    };
    const event: LoopEvent = { ...unsigned, hash: hashEvent(unsigned) };
    head = headOf(event);
    return event;
  });
}

/** An append of a chain, with further parts. */
export function sampleAppend(chain: SampleChain, carried: Partial<Append> = {}): Append {
  const { run = SAMPLE_RUN, epoch, after = EMPTY_HEAD } = chain;
  return { run, epoch, after, events: sampleEvents(chain), blobs: [], consumed: [], ...carried };
}

/** The head after an append. */
export function headAfter({ events, after }: Append): Head {
  const last = events.at(-1);
  return last === undefined ? after : headOf(last);
}

function headOf({ sequence, hash }: LoopEvent): Head {
  return { sequence, hash };
}

/** Takes the next epoch and appends under it, from wherever the log stands. */
export async function takeAndAppend(
  { log }: Pick<Stores, "log">,
  chain: Omit<SampleChain, "epoch" | "after"> = {},
  carried: Partial<Append> = {},
): Promise<Append> {
  const { epoch, head } = await log.takeEpoch(chain.run ?? SAMPLE_RUN);
  const append = sampleAppend({ ...chain, epoch, after: head }, carried);
  const answer = await log.append(append);
  if (answer.kind !== "appended") throw new Error(`a fresh epoch was answered ${answer.kind}`);
  return append;
}

export function sampleBlob(text: string): Blob {
  const bytes = new TextEncoder().encode(text);
  const digest = `hmac-sha256:${sha256Hex(text)}` as const;
  return { digest, size: bytes.length, mediaType: "text/plain", bytes };
}

export function sampleReceipt(turn: number, run = SAMPLE_RUN): StoredReceipt {
  const payload = "e30=";
  const signatures = [{ keyid: "key", sig: "c2ln" }];
  const id = `sha256:${sha256Hex(`${run}/${turn}`)}`;
  return { run, turn, id, envelope: { payloadType: "application/json", payload, signatures } };
}

export function sampleSnapshot(sequence: number, run = SAMPLE_RUN): RunSnapshot {
  return { run, sequence, state: { turns: sequence } };
}

export function sampleWaiting(sequence: number): WaitingRow {
  const isApproval = sequence % 2 === 1;
  return {
    sequence,
    id: `11111111-1111-4111-8111-${String(sequence).padStart(12, "0")}`,
    kind: isApproval ? "approval" : "question",
    name: "local.refund",
    role: isApproval ? "finance" : null,
    askedAt: "2026-01-31T12:00:00.000Z",
    decideBy: isApproval ? "2026-02-28T12:00:00.500Z" : null,
  };
}

export function sampleMessage(key: string, run = SAMPLE_RUN): InboxMessage {
  return { run, key, kind: "signal", body: { name: "note", payload: key, by: "ada" } };
}
