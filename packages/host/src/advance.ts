/**
 * One step forward: take the epoch, carry the run to where it waits, stops, or its slice is over.
 *
 * 1. Whoever advances is the run's only writer from then on; whoever did before is fenced.
 * 2. Everything decided here follows from the log: a second look at the same log decides the same.
 * 3. The host chooses which turn to ask for. What a turn may do, the kernel decides.
 */
import { createAppender, createContent, LogError, type TurnResult } from "@turnseal/kernel";
import type { Ids } from "@turnseal/ports";
import { type Actor, fromHex, type StopReason, sha256Hex } from "@turnseal/protocol";
import type { Carrier, HostPorts } from "./carrier.ts";
import { type Dues, dues } from "./dues.ts";
import { findAwaited } from "./find-awaited.ts";
import { loadProjection } from "./load-projection.ts";
import { meetsGoal } from "./next/decide-next.ts";
import { applyEvent } from "./projection/apply-event.ts";
import type { RunProjection } from "./projection/run-projection.ts";
import { decideStop, type StopDecision } from "./stop/decide-stop.ts";
import { takeInbox } from "./take-inbox.ts";
import { takeTicks } from "./take-ticks.ts";
import { takeTurn } from "./take-turn.ts";
import { tellLive } from "./tell-live.ts";
import { toSnapshot } from "./to-snapshot.ts";

/** What happened in a run, for whoever watches: told after it is durable. */
export type Progress =
  | {
      readonly kind: "turn";
      readonly turn: number;
      readonly result: TurnResult;
      readonly decision: StopDecision | undefined;
      readonly projection: RunProjection;
    }
  | { readonly kind: "stopped"; readonly reason: StopReason; readonly projection: RunProjection };

export interface AdvanceOptions {
  /** How long one call may go on starting turns. */
  readonly sliceMs?: number;
  readonly onProgress?: (progress: Progress) => void;
  /** Aborted when somebody else goes on in place of this attempt: from then on it does nothing. */
  readonly attempt?: AbortSignal;
}

export type Advanced =
  | { readonly dues: Dues; readonly projection: RunProjection }
  | {
      readonly dues: {
        readonly kind: "blocked";
        readonly why: "stale" | "unspoken" | "content-erased";
      };
    };

/** How long one call of `advance` goes on starting turns. */
export const SLICE_MS_DEFAULT = 30_000;

const host: Actor = { kind: "host", id: "host" };

/** Carries a run forward. */
export async function advance(
  run: string,
  ports: HostPorts,
  options: AdvanceOptions = {},
): Promise<Advanced> {
  const { stores, clock, ids } = ports;
  const { epoch, head } = await stores.log.takeEpoch(run);
  const loaded = await loadProjection(stores, run, head);
  if (loaded.kind === "stale") {
    // A snapshot that is ahead may also be that of a worker who has taken over meanwhile.
    const now = await stores.log.readHead(run);
    if (now?.epoch !== epoch)
      throw new LogError("LOG_FENCED", `epoch ${epoch} is over: epoch ${now?.epoch} owns the run`);
    return { dues: { kind: "blocked", why: "stale" } };
  }
  let { projection } = loaded;
  const key = await stores.blobs.keepKey(run, createRunKey(run, ids));
  if (key === undefined) return { dues: { kind: "blocked", why: "content-erased" } };
  const appender = createAppender({
    run,
    epoch,
    head,
    lastMs: Date.parse(projection.lastAt),
    stores,
    clock,
    ids,
    content: createContent(run, key, stores.blobs),
    fold: (event) => {
      projection = applyEvent(projection, event);
    },
    snapshot: () => toSnapshot(projection),
    ...(ports.live === undefined ? {} : { onAppended: tellLive(ports.live, run) }),
    ...(options.attempt === undefined ? {} : { attempt: options.attempt }),
  });
  const { attempt } = options;
  const carrier = { ...ports, appender, projection: () => projection };
  return carry(attempt === undefined ? carrier : { ...carrier, attempt }, options);
}

async function carry(
  carrier: Carrier,
  { sliceMs = SLICE_MS_DEFAULT, onProgress = () => {} }: AdvanceOptions,
): Promise<Advanced> {
  const { appender, projection, stores, clock } = carrier;
  const { registry } = carrier;
  const inboxTarget = { appender, inbox: stores.inbox, projection, registry };
  const endMs = clock.now() + sliceMs;
  if (projection().stopped === null) await takeInbox(inboxTarget);
  if (isStillWaiting(projection(), clock.now()))
    return { dues: dues(projection()), projection: projection() };
  let isResumed = projection().openTurn !== null;
  let isFirst = true;
  let sealed: string | undefined;
  while (projection().stopped === null && projection().spec !== null) {
    if (!isResumed) {
      const isOver = !isFirst && clock.now() >= endMs;
      await takeTicks(carrier);
      const decision = await decideAfterTurn(carrier, { onProgress, isOver, sealed });
      if (decision.kind !== "continue" || isOver) break;
    }
    const result = await takeTurn(carrier, isResumed);
    [isResumed, isFirst] = [false, false];
    if (result.kind === "unspoken") return { dues: { kind: "blocked", why: "unspoken" } };
    if (result.kind === "waiting") break;
    sealed = result.receipt;
    const turn = projection().turns;
    // The append that closed the turn has looked; whoever tells the run more has it advanced again.
    if (!appender.isInboxEmpty()) await takeInbox(inboxTarget);
    onProgress({ kind: "turn", turn, result, decision: undefined, projection: projection() });
  }
  await appender.flush();
  return { dues: dues(projection()), projection: projection() };
}

/**
 * A run that waits is left alone until its time has come, somebody has spoken, or it is cancelled.
 */
function isStillWaiting(run: RunProjection, nowMs: number): boolean {
  if (run.isCancelled) return false;
  const owed = dues(run);
  if (owed.kind !== "wait" && owed.kind !== "wake") return false;
  return owed.atMs === undefined || nowMs < owed.atMs;
}

interface DecisionOptions {
  readonly onProgress: NonNullable<AdvanceOptions["onProgress"]>;
  /** True when another step goes on: it decides again, and says so with what it begins. */
  readonly isOver: boolean;
  /** The receipt of the last turn, where this step has stored it: nobody has to look for it. */
  readonly sealed: string | undefined;
}

/** Records the decision after a turn, and stops the run if that is what it is. */
async function decideAfterTurn(
  carrier: Carrier,
  { onProgress, isOver, sealed }: DecisionOptions,
): Promise<StopDecision> {
  const { appender, projection, stores, clock } = carrier;
  const run = projection();
  const last = run.lastTurn;
  const receipt =
    sealed ?? (last === null ? undefined : (await stores.receipts.read(run.run, last.turn))?.id);
  const output =
    last?.output === null || last === null ? undefined : await appender.content.read(last.output);
  const decision = decideStop(run, {
    nowMs: Math.max(clock.now(), appender.lastMs()),
    hasReceipt: last === null || receipt !== undefined,
    isGoalReached:
      last?.outcome === "completed" &&
      output !== undefined &&
      meetsGoal(run.spec?.bounds ?? {}, output),
  });
  if (isOver && decision.kind === "continue") return decision;
  const isRecorded =
    decision.kind === "wait" ? run.awaited?.isWaiting === true : last?.isDecided === true;
  if (!isRecorded) {
    const signal =
      decision.reason === "signal-received" ? await findAwaited(run, stores.log) : undefined;
    appender.push(() => ({
      type: "run.decided",
      actor: host,
      content: {
        decision: decision.kind,
        reason: decision.reason,
        receipt: receipt ?? null,
        ...(signal === undefined ? {} : { signal }),
      },
    }));
  }
  if (decision.kind === "stop") {
    appender.push(() => ({
      type: "run.stopped",
      actor: host,
      content: { reason: decision.reason },
    }));
    await appender.flush();
    onProgress({ kind: "stopped", reason: decision.reason, projection: projection() });
  }
  return decision;
}

/** 256 bits from two ids: random where ids are, and the same for the same seed. */
function createRunKey(run: string, ids: Ids): Uint8Array {
  return fromHex(sha256Hex(`${ids.create(`${run}/key/0`)}${ids.create(`${run}/key/1`)}`));
}
