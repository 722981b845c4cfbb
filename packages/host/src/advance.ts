/**
 * One step forward: take the epoch, carry the run to where it waits, stops, or its slice is over.
 *
 * 1. Whoever advances is the run's only writer from then on; whoever did before is fenced.
 * 2. Everything decided here follows from the log: a second look at the same log decides the same.
 * 3. The host chooses which turn to ask for. What a turn may do, the kernel decides.
 */
import {
  type Appender,
  closeStalledTurn,
  createAppender,
  createContent,
  LogError,
  type Registry,
  runTurn,
  SEMANTICS,
  type TurnPorts,
  type TurnRequest,
  type TurnResult,
} from "@turnseal/kernel";
import type { Clock, Ids, Model, Signer, Stores, ToolBinding } from "@turnseal/ports";
import {
  type Actor,
  fromHex,
  invariant,
  type JsonObject,
  type JsonValue,
  type LoopEvent,
  type PriceTable,
  type StopReason,
  sha256Hex,
} from "@turnseal/protocol";
import { type Dues, dues } from "./dues.ts";
import { collectEvents, loadProjection } from "./load-projection.ts";
import { decideNext, meetsGoal } from "./next/decide-next.ts";
import { applyEvent } from "./projection/apply-event.ts";
import type { OpenTurn, RunProjection } from "./projection/run-projection.ts";
import { decideStop, type StopDecision } from "./stop/decide-stop.ts";
import { takeCancel, takeInbox } from "./take-inbox.ts";

export interface HostPorts {
  readonly stores: Stores;
  readonly clock: Clock;
  readonly ids: Ids;
  readonly signer: Signer;
  readonly registry: Registry;
  readonly models: ReadonlyMap<string, Model>;
  readonly tools: ReadonlyMap<string, ToolBinding>;
  readonly prices?: PriceTable;
}

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
    snapshot: () => ({
      run,
      sequence: projection.sequence,
      state: projection as unknown as JsonObject,
    }),
  });
  return carry({ ...ports, appender, projection: () => projection }, options);
}

interface Carrier extends HostPorts {
  readonly appender: Appender;
  readonly projection: () => RunProjection;
}

async function carry(
  carrier: Carrier,
  { sliceMs = SLICE_MS_DEFAULT, onProgress = () => {} }: AdvanceOptions,
): Promise<Advanced> {
  const { appender, projection, stores, clock } = carrier;
  const inboxTarget = { appender, inbox: stores.inbox, projection };
  const endMs = clock.now() + sliceMs;
  if (projection().stopped === null) await takeInbox(inboxTarget);
  if (isStillWaiting(projection(), clock.now()))
    return { dues: dues(projection()), projection: projection() };
  let isResumed = projection().openTurn !== null;
  let isFirst = true;
  while (projection().stopped === null && projection().spec !== null) {
    if (!isResumed) {
      const decision = await decideAfterTurn(carrier, onProgress);
      if (decision.kind === "stop") break;
      if (!isFirst && clock.now() >= endMs) break;
    }
    const result = await takeTurn(carrier, isResumed);
    [isResumed, isFirst] = [false, false];
    if (result.kind === "unspoken") return { dues: { kind: "blocked", why: "unspoken" } };
    if (result.kind === "waiting") break;
    const turn = projection().turns;
    await takeInbox(inboxTarget);
    onProgress({ kind: "turn", turn, result, decision: undefined, projection: projection() });
  }
  await appender.flush();
  return { dues: dues(projection()), projection: projection() };
}

/**
 * A turn that waits is left alone until its time has come, a person has spoken, or the run is
 * cancelled.
 */
function isStillWaiting({ openTurn, isCancelled }: RunProjection, nowMs: number): boolean {
  const waiting = openTurn?.waiting;
  if (waiting === null || waiting === undefined || isCancelled) return false;
  return waiting.until === null || nowMs < Date.parse(waiting.until);
}

/** Records the decision after a turn, and stops the run if that is what it is. */
async function decideAfterTurn(
  carrier: Carrier,
  onProgress: NonNullable<AdvanceOptions["onProgress"]>,
): Promise<StopDecision> {
  const { appender, projection, stores, clock } = carrier;
  const run = projection();
  const last = run.lastTurn;
  const receipt = last === null ? undefined : await stores.receipts.read(appender.run, last.turn);
  const output =
    last?.output === null || last === null ? undefined : await appender.content.read(last.output);
  const decision = decideStop(run, {
    nowMs: Math.max(clock.now(), appender.lastMs()),
    hasReceipt: last === null || receipt !== undefined,
    isGoalReached:
      last?.outcome === "completed" &&
      output !== undefined &&
      meetsGoal(run.spec?.policy.goal, output),
  });
  if (last === null || !last.isDecided) {
    appender.push(() => ({
      type: "run.decided",
      actor: host,
      content: { decision: decision.kind, reason: decision.reason, receipt: receipt?.id ?? null },
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

/** Begins the next turn, or goes on with the open one. */
async function takeTurn(carrier: Carrier, isResumed: boolean): Promise<TurnResult> {
  const { appender, projection, stores } = carrier;
  const { spec, openTurn, input: inputRef, lastReceipt } = projection();
  invariant(spec !== null && inputRef !== null, "a run has started");
  const before = openTurn === null ? [] : await readOpenTurn(carrier, openTurn.from);
  const semantics = Number(before[0]?.content["semantics"] ?? SEMANTICS);
  // Whoever does not speak them leaves the turn as it is, uncounted.
  if (semantics !== SEMANTICS) return { kind: "unspoken", semantics };
  const recorded = openTurn === null ? [] : [...before, await noteResume(carrier, openTurn)];
  const turn = openTurn?.turn ?? projection().turns + 1;
  const request: TurnRequest = {
    run: appender.run,
    turn,
    loop: spec.loop,
    version: spec.version,
    pinned: spec.pinned,
    grant: spec.grant,
    previousReceipt: lastReceipt,
    recorded,
    input: openTurn === null ? await nextInput(carrier) : await readTurnInput(carrier, recorded),
  };
  const ports: TurnPorts = {
    ...carrier,
    prices: carrier.prices,
    spending: () => projection().spending,
    takeCancel: () => takeCancel({ appender, inbox: stores.inbox, projection }),
  };
  const isStalled = isResumed && openTurn !== null && openTurn.resumes >= spec.policy.resumesMax;
  return isStalled ? closeStalledTurn(request, ports) : runTurn(request, ports);
}

/** The record of the open turn. */
async function readOpenTurn({ appender, stores }: Carrier, from: number): Promise<LoopEvent[]> {
  await appender.flush();
  return collectEvents(stores.log, appender.run, from);
}

/** Counts the resume before anything is tried: what is tried may take this worker down too. */
async function noteResume({ appender }: Carrier, open: OpenTurn): Promise<LoopEvent> {
  const { turn, resumes } = open;
  const resumed = appender.push(() => ({
    type: "turn.resumed",
    turn,
    actor: host,
    content: { resumes: resumes + 1 },
  }));
  await appender.flush();
  return resumed;
}

async function readTurnInput(
  { appender }: Carrier,
  recorded: readonly LoopEvent[],
): Promise<JsonValue> {
  const reference = recorded[0]?.content["input"];
  invariant(typeof reference === "object" && reference !== null, "a turn has an input");
  return appender.content.read(reference as unknown as Parameters<typeof appender.content.read>[0]);
}

async function nextInput({ appender, projection }: Carrier): Promise<JsonValue> {
  const { spec, input, lastTurn, signals, turns } = projection();
  invariant(spec !== null && input !== null, "a run has started");
  const { nextInput: mapping } = spec.policy;
  const { content } = appender;
  if (mapping === undefined || turns === 0) return content.read(input);
  const payloads: [string, JsonValue][] = [];
  for (const [name, payload] of Object.entries(signals))
    payloads.push([name, await content.read(payload)]);
  const output = lastTurn?.output == null ? null : await content.read(lastTurn.output);
  const next = decideNext(mapping, {
    input: await content.read(input),
    output,
    turn: turns,
    signals: Object.fromEntries(payloads),
  });
  // A mapping that leads nowhere gives the turn nothing: its loop's schema then refuses it, and the
  // refusal is sealed.
  return next.kind === "input" ? next.input : {};
}

/** 256 bits from two ids: random where ids are, and the same for the same seed. */
function createRunKey(run: string, ids: Ids): Uint8Array {
  return fromHex(sha256Hex(`${ids.create(`${run}/key/0`)}${ids.create(`${run}/key/1`)}`));
}
