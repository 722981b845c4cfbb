/** Closes a turn and signs what it did. */
import type { Signer } from "@turnseal/ports";
import {
  type CallErrorCode,
  type CloseReason,
  canonicalize,
  type EventOf,
  type JsonValue,
  type LoopEvent,
  type Spending,
  type TurnOutcome,
} from "@turnseal/protocol";
import {
  buildStatement,
  type Envelope,
  encodeForSigning,
  PAYLOAD_TYPE,
  receiptId,
  toBase64,
} from "@turnseal/protocol/receipts";
import type { Appender, EventDraft } from "../log/appender.ts";
import {
  type Failed,
  findRefusal,
  isRefusedByPerson,
  type Outcome,
  type Paused,
} from "../outcome.ts";
import type { Threads } from "../thread/threads.ts";

/**
 * How the root call of a turn ended; `drifted` when the code is not the one that recorded it,
 * `withdrawn` when it was cancelled and not run to its end.
 */
export type RootOutcome =
  | Outcome<JsonValue>
  | (Failed & { readonly ranOut: boolean })
  | { readonly kind: "drifted"; readonly message: string }
  | { readonly kind: "stalled" | "withdrawn" };

export interface ClosedTurn {
  readonly outcome: TurnOutcome;
  /** Why, when the outcome is not `completed`: a code of the closed set, or `drifted`. */
  readonly reason: CloseReason | undefined;
  readonly receipt: string;
}

interface TurnToClose {
  readonly turn: number;
  readonly outcome: Exclude<RootOutcome, Paused>;
  readonly recorded: readonly LoopEvent[];
}

const outcomes: Readonly<Partial<Record<CallErrorCode, TurnOutcome>>> = {
  CANCELLED: "cancelled",
  TIMEOUT: "timed-out",
  POLICY_DENIED: "denied",
  INPUT_VALIDATION_FAILED: "refused",
};

/** Thrown before anything is pushed. */
const TOO_LATE = new Error("the key may have ended since it was asked for");

interface Sealing {
  readonly appender: Appender;
  readonly signer: Signer;
  readonly sealByMs: number;
  readonly spending: () => Spending;
  /** Without them, nobody ran the turn to its end. */
  readonly threads?: Threads;
}

/**
 * Pushes `turn.closed` and its receipt; the caller flushes both as one. Answers undefined, and
 * pushes nothing, where so much time has passed that the key may have ended: a process can be held
 * up between any two instructions.
 */
export async function sealTurn(
  { turn, outcome, recorded }: TurnToClose,
  { appender, signer, sealByMs, spending, threads }: Sealing,
): Promise<ClosedTurn | undefined> {
  const events = [...recorded, ...appender.sinceMark()];
  const kind = decideOutcome(outcome, events);
  const reason = reasonOf(outcome);
  const { ends, blobs } = isRun(outcome) ? (threads?.end() ?? NO_ENDS) : NO_ENDS;
  const closing = pushInTime(appender, sealByMs, () => ({
    type: "turn.closed",
    turn,
    content: {
      outcome: kind,
      ...(reason === undefined ? {} : { reason }),
      ...(outcome.kind === "error" && outcome.error.details.unit !== undefined
        ? { unit: outcome.error.details.unit }
        : {}),
      ...("ranOut" in outcome && outcome.ranOut ? { ranOut: true } : {}),
      spending: spending(),
      key: { id: signer.keyId, issuer: signer.issuer },
      ...(ends.length === 0 ? {} : { threads: ends }),
    },
    blobs,
    ...(outcome.kind === "ok" ? { attached: { output: outcome.value } } : {}),
  }));
  if (closing === undefined) return undefined;
  if (isRun(outcome)) threads?.close(closing.sequence);
  const { id, envelope } = await signStatement([...events, closing], signer);
  appender.seal({ run: appender.run, turn, id, envelope });
  return { outcome: kind, reason, receipt: id };
}

const NO_ENDS: ReturnType<Threads["end"]> = { ends: [], blobs: [] };

/**
 * True for an outcome of the code itself. In a turn that drifted, the code does not know the last
 * entries.
 */
function isRun({ kind }: TurnToClose["outcome"]): boolean {
  return kind === "ok" || kind === "error";
}

/** Pushes an event whose time is no later than this; undefined when it would be. */
function pushInTime(
  appender: Appender,
  untilMs: number,
  make: () => EventDraft<"turn.closed">,
): EventOf<"turn.closed"> | undefined {
  try {
    return appender.push((nowMs) => {
      if (nowMs > untilMs) throw TOO_LATE;
      return make();
    });
  } catch (error) {
    if (error === TOO_LATE) return undefined;
    throw error;
  }
}

async function signStatement(
  events: readonly LoopEvent[],
  signer: Signer,
): Promise<{ id: string; envelope: Envelope }> {
  const payload = new TextEncoder().encode(canonicalize(buildStatement(events)));
  const signature = await signer.sign(encodeForSigning(PAYLOAD_TYPE, payload));
  return {
    id: receiptId(payload),
    envelope: {
      payloadType: PAYLOAD_TYPE,
      payload: toBase64(payload),
      signatures: [{ keyid: signer.keyId, sig: toBase64(signature) }],
    },
  };
}

/**
 * A turn that went wrong while something may have happened that nobody knows of is unknown: to try
 * it again could do it twice. After a cancel nothing is tried again, so that it stays a cancel.
 */
function decideOutcome(outcome: TurnToClose["outcome"], events: readonly LoopEvent[]): TurnOutcome {
  if (outcome.kind === "ok") return "completed";
  const isAbandoned = events.some(
    (event) => event.type === "action.resolved" && event.content.resolution === "abandon",
  );
  // Members that acted would act again.
  const isInPart = events.some(
    (event) => event.type === "group.closed" && event.content.outcome === "part",
  );
  if (isAbandoned || isInPart) return "unknown";
  if (outcome.kind === "withdrawn") return "cancelled";
  const code = outcome.kind === "error" ? outcome.error.code : undefined;
  if (code !== "CANCELLED" && hasOpenEffect(events)) return "unknown";
  if (outcome.kind === "error" && isRefusedByPerson(outcome.error)) return "rejected";
  return code === undefined ? "failed" : (outcomes[code] ?? "failed");
}

/**
 * True when a claimed effect has no recorded end. How far a withdrawn item had come is chance, so
 * its open effects do not count.
 */
function hasOpenEffect(events: readonly LoopEvent[]): boolean {
  const open = new Set<number>();
  for (const event of events) {
    if (event.type === "action.claimed") {
      const { effect } = event.content;
      if (effect !== "read" && effect !== "repeatable") open.add(event.sequence);
    }
    const isWithdrawn = event.type === "action.unknown" && event.content.status === "withdrawn";
    if (isWithdrawn || event.type === "action.settled" || event.type === "action.resolved")
      open.delete(event.content.claim);
  }
  return open.size > 0;
}

/** Says why a turn did not complete. A person's rejection differs from a denial by rules. */
export function reasonOf(outcome: Exclude<RootOutcome, Paused>): CloseReason | undefined {
  if (outcome.kind === "ok") return undefined;
  if (outcome.kind !== "error") return outcome.kind;
  return findRefusal(outcome.error) ?? outcome.error.code;
}
