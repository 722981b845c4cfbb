/**
 * One turn: admit, call, close and seal.
 *
 * 1. A turn does only what its grant allows; a no is an outcome, recorded and sealed like any
 *    other.
 * 2. The receipt is a pure function of the turn's events, signed before the append and stored in
 *    the same transaction as the event that closes the turn. No result is reported before that.
 * 3. A turn that was begun is resumed by running it again against its record; nothing that was
 *    settled happens twice.
 */
import type {
  Clock,
  LiveBus,
  Model,
  RateLimits,
  Secrets,
  Signer,
  ToolBinding,
} from "@turnseal/ports";
import { memorySecrets, seededIds } from "@turnseal/ports";
import {
  canonicalize,
  dayOf,
  digestOf,
  type Grant,
  type JsonObject,
  type JsonValue,
  type LoopEvent,
  type PinnedReferences,
  type PriceTable,
  type Spending,
} from "@turnseal/protocol";
import type { ParentClaim } from "@turnseal/protocol/receipts";
import { type AdmittedLoops, admitTurn, type TurnAdmission } from "../admission/admit-turn.ts";
import { runCall } from "../call/run-call.ts";
import type { Appender } from "../journal/appender.ts";
import { LogError } from "../journal/log-error.ts";
import { readRecordedTurn } from "../journal/recorded-turn.ts";
import { turnJournal } from "../journal/turn-journal.ts";
import { createTurnRecorder } from "../journal/turn-recorder.ts";
import { createLiveTurn } from "../live-turn.ts";
import { fail, type Paused } from "../outcome.ts";
import { type ClosedTurn, type RootOutcome, sealTurn } from "../receipt/seal-turn.ts";
import type { Registry } from "../registry/registry.ts";
import type { World } from "../world.ts";
import { giveGuidance, type RequestedGuidance, recordGuidance } from "./give-guidance.ts";
import { judgeActions, type RulesInForce } from "./judge-actions.ts";
import { watchForCancel } from "./watch-for-cancel.ts";

/**
 * Raised by any change to keys, rendering, expressions or the meaning of flows: an open turn is
 * only resumed by its own.
 */
export const SEMANTICS = 2;

export interface TurnRequest {
  readonly run: string;
  readonly turn: number;
  readonly loop: string;
  readonly version: string;
  /** Every loop that may be called, as resolved when the run started. */
  readonly pinned: PinnedReferences;
  readonly input: JsonValue;
  /** What its prompts are given to read. */
  readonly guidance?: RequestedGuidance;
  readonly grant: Grant;
  readonly previousReceipt: string | null;
  /** The claim of another run that started this one. */
  readonly parent?: ParentClaim;
  /** The events of the turn so far, from `turn.started`; empty for one that begins. */
  readonly recorded: readonly LoopEvent[];
}

export interface TurnPorts {
  readonly appender: Appender;
  readonly clock: Clock;
  readonly signer: Signer;
  readonly registry: Registry;
  readonly models: ReadonlyMap<string, Model>;
  readonly tools: ReadonlyMap<string, ToolBinding>;
  /** Without it there are none, and a tool that declares one is not executed. */
  readonly secrets?: Secrets;
  readonly prices: PriceTable | undefined;
  /** What limits the pace of prompts that ask for it. Without it nobody can tell. */
  readonly rateLimits?: RateLimits;
  /** Told what is being written, while it is. */
  readonly live?: LiveBus;
  /** The rules of the run, and those of today. */
  readonly rules?: RulesInForce;
  /** What the run has spent, folded from its events. */
  readonly spending: () => Spending;
  /** Takes a waiting cancel into the log, and answers whether there was one. */
  readonly takeCancel: () => Promise<boolean>;
  /** Aborted when this attempt is over: what runs is told to stop, and nothing more is written. */
  readonly attempt?: AbortSignal;
}

export type TurnResult =
  | (ClosedTurn & { readonly kind: "closed"; readonly output?: JsonValue; readonly words?: string })
  | { readonly kind: "waiting"; readonly untilMs: number | undefined; readonly for: WaitedFor }
  | { readonly kind: "unspoken"; readonly semantics: number };

/** What moves a turn that waits: a person or another run, also before its time, or time alone. */
export type WaitedFor = "person" | "time";

/** Carries a turn to its end, or to where it must wait. */
export async function runTurn(request: TurnRequest, ports: TurnPorts): Promise<TurnResult> {
  const { appender } = ports;
  appender.mark();
  const semantics = Number(request.recorded[0]?.content["semantics"] ?? SEMANTICS);
  if (semantics !== SEMANTICS) return { kind: "unspoken", semantics };
  const started = request.recorded[0] ?? startTurn(request, ports);

  const outcome = await runRecordedTurn(request, started, ports);
  if (outcome.kind === "paused") return pauseTurn(request, ports, outcome);
  return closeTurn(outcome, request, ports);
}

/** Admits the turn and runs its root call, against the record as far as it goes. */
export async function runRecordedTurn(
  request: TurnRequest,
  started: LoopEvent,
  ports: Omit<TurnPorts, "signer" | "takeCancel"> & Partial<Pick<TurnPorts, "takeCancel">>,
): Promise<RootOutcome> {
  const admission = admitTurn(request, { registry: ports.registry, started });
  return admission.kind === "admitted"
    ? callRoot(admission.loops, request, { takeCancel: async () => false, ...ports })
    : denyTurn(admission, request, ports);
}

/** Ends a turn that is resumed again and again without getting any further. */
export function closeStalledTurn(request: TurnRequest, ports: TurnPorts): Promise<TurnResult> {
  ports.appender.mark();
  return closeTurn({ kind: "stalled" }, request, ports);
}

async function closeTurn(
  outcome: Exclude<RootOutcome, Paused>,
  { turn, recorded }: TurnRequest,
  ports: TurnPorts,
): Promise<TurnResult> {
  const closed = await sealTurn({ turn, outcome, recorded }, ports);
  await ports.appender.flush();
  if (outcome.kind === "ok") return { kind: "closed", ...closed, output: outcome.value };
  const words = outcome.kind === "error" ? outcome.reason : undefined;
  return { kind: "closed", ...closed, ...(words === undefined ? {} : { words }) };
}

function startTurn(
  { turn, loop, version, input, grant, guidance, previousReceipt, parent }: TurnRequest,
  { appender, spending }: TurnPorts,
): LoopEvent {
  const before = spending() as unknown as JsonObject;
  const { facts, blobs } = recordGuidance(guidance, appender.content);
  return appender.push((nowMs) => ({
    type: "turn.started",
    turn,
    content: {
      semantics: SEMANTICS,
      key: `${appender.run}:${turn}`,
      loop,
      version,
      grant: grant as unknown as JsonObject,
      spending: before,
      previousReceipt,
      ...(parent === undefined ? {} : { parent: { ...parent } }),
      ...(grant.perDay === undefined ? {} : { day: dayOf(new Date(nowMs).toISOString()) }),
      ...facts,
    },
    attached: { input },
    blobs,
  }));
}

function denyTurn(
  denied: Exclude<TurnAdmission, { readonly kind: "admitted" }>,
  { turn, recorded }: TurnRequest,
  { appender }: Pick<TurnPorts, "appender">,
): Exclude<RootOutcome, Paused> {
  if (denied.kind === "drifted") return denied;
  const isSaid = recorded.some(({ type }) => type === "turn.denied");
  if (!isSaid)
    appender.push(() => ({ type: "turn.denied", turn, content: { reason: denied.reason } }));
  return fail("POLICY_DENIED", `the turn is not admitted: ${denied.reason}`, {
    denial: denied.reason,
  });
}

/** Runs the root call. What the record and the code disagree about ends it as drifted. */
async function callRoot(
  { root, loops }: AdmittedLoops,
  request: TurnRequest,
  ports: Omit<TurnPorts, "signer">,
): Promise<RootOutcome> {
  const { run, turn, input, grant } = request;
  const { appender, clock } = ports;
  const recorded = readRecordedTurn(request.recorded);
  const cancel = new AbortController();
  const signal =
    ports.attempt === undefined ? cancel.signal : AbortSignal.any([cancel.signal, ports.attempt]);
  const recorder = createTurnRecorder({ turn, appender, recorded, signal });
  const ids = seededIds(run);
  const path = `turns/${turn}`;
  const watch = watchForCancel({ clock, takeCancel: ports.takeCancel, cancel });
  const journal = turnJournal({
    run,
    turn,
    appender,
    recorded,
    clock,
    rateLimits: ports.rateLimits,
    signal,
    caps: grant,
    grantDigest: () => digestOf(grant),
    judge: judgeActions({ run, turn, rules: ports.rules, spending: ports.spending }),
    spending: ports.spending,
    watch,
  });
  const world: World = {
    ids,
    journal,
    models: ports.models,
    tools: ports.tools,
    secrets: ports.secrets ?? memorySecrets(),
    guidance: giveGuidance(request.guidance, appender.content),
    loops,
    prices: ports.prices,
    needsPrices: grant.budget.moneyMicros !== undefined,
    ...(ports.live === undefined ? {} : { live: createLiveTurn(ports.live, { run, turn }) }),
  };
  try {
    const outcome = await runCall(
      { loop: root, input, call: ids.create(path), path, grant },
      world,
      recorder,
    );
    recorded.checkAllTaken();
    return outcome;
  } catch (error) {
    if (!(error instanceof LogError) || error.code !== "LOG_DRIFTED") throw error;
    return { kind: "drifted", message: error.message };
  }
}

/** The turn stays open. That it waits is said once, however often it is looked at. */
async function pauseTurn(
  { turn, recorded }: TurnRequest,
  { appender }: TurnPorts,
  { untilMs, isAsked = untilMs === undefined }: Paused,
): Promise<TurnResult> {
  const waitedFor: WaitedFor = isAsked ? "person" : "time";
  const until = untilMs === undefined ? {} : { until: new Date(untilMs).toISOString() };
  const content = { for: waitedFor, ...until };
  const last = recorded.findLast(({ type }) => type !== "turn.resumed");
  const isSaid =
    last?.type === "turn.waiting" && canonicalize(last.content) === canonicalize(content);
  if (!isSaid || appender.sinceMark().length > 0)
    appender.push(() => ({ type: "turn.waiting", turn, content }));
  await appender.flush();
  return { kind: "waiting", untilMs, for: waitedFor };
}
