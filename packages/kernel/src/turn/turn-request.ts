/** What a turn is given, what it is run with, and what comes of it. */
import type {
  Clock,
  LiveBus,
  Model,
  ProviderLimits,
  RateLimits,
  Secrets,
  Signer,
} from "@turnseal/ports";
import type {
  Amounts,
  Block,
  Grant,
  JsonValue,
  LoopEvent,
  Pauses,
  PinnedReferences,
  PriceTable,
  Spending,
  Trigger,
} from "@turnseal/protocol";
import type { ParentClaim } from "@turnseal/protocol/receipts";
import type { CallIndexes } from "../cache/call-caches.ts";
import type { Appender } from "../log/appender.ts";
import type { ManagedRoots } from "../log/run-artifacts.ts";
import type { NotesByScope } from "../notes/scope-notes.ts";
import type { ClosedTurn } from "../receipt/seal-turn.ts";
import type { Registry } from "../registry/registry.ts";
import type { ThreadHistory } from "../thread/threads.ts";
import type { BoundTools } from "../world.ts";
import type { RequestedGuidance } from "./give-guidance.ts";
import type { RulesInForce } from "./judge-actions.ts";

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
  /** True when it goes on where the turn before ran out of rounds. */
  readonly continues?: boolean;
  /** True when the run is a rollback, by what cannot be had by saying so. */
  readonly isRollback?: boolean;
  /** The claim of another run that started this one. */
  readonly parent?: ParentClaim;
  /** The sum that this run, and the runs above it, had committed before the handoff. */
  readonly committed?: Amounts;
  /** The event that sets the turn going, and the people who do. */
  readonly trigger?: Trigger;
  readonly starters?: readonly string[];
  /** The events of the turn so far, from `turn.started`; empty for one that begins. */
  readonly recorded: readonly LoopEvent[];
}

export interface TurnPorts {
  readonly appender: Appender;
  readonly clock: Clock;
  readonly signer: Signer;
  readonly registry: Registry;
  readonly models: ReadonlyMap<string, Model>;
  readonly tools: BoundTools;
  /** Without it there are none, and a tool that declares one is not executed. */
  readonly secrets?: Secrets;
  readonly prices: PriceTable | undefined;
  /** What limits the pace of prompts that ask for it. Without it nobody can tell. */
  readonly rateLimits?: RateLimits;
  /** What all tenants together may ask of providers. Without it, as much as they like. */
  readonly providerLimits?: ProviderLimits;
  /** What is paused now. Without it nothing is; what cannot be read keeps all from beginning. */
  readonly pauses?: Pauses;
  /** Where what calls gave is kept for others. Without it each is made. */
  readonly calls?: CallIndexes;
  /** What its prompts were told in earlier turns. Without it they begin anew. */
  readonly history?: ThreadHistory;
  /** What was noted before the turn began. Without it nothing was. */
  readonly notes?: NotesByScope;
  /** The files outside that the run manages now. Without it there are none. */
  readonly artifacts?: ManagedRoots;
  /** Told what is being written, while it is. */
  readonly live?: LiveBus;
  /** The rules of the run, and those of today. */
  readonly rules?: RulesInForce;
  /** What the run has spent, folded from its events. */
  readonly spending: () => Spending;
  /**
   * Takes a waiting cancel into the log, and answers whether there was one. What prompts are told
   * while they work may be taken with it.
   */
  readonly takeCancel: () => Promise<boolean>;
  /** Told of a look for a cancel that failed. */
  readonly onCancelUnknown?: ((error: unknown) => void) | undefined;
  /** Aborted when this attempt is over: what runs is told to stop, and nothing more is written. */
  readonly attempt?: AbortSignal;
  /** Aborted when the turn is to be left: nothing more is claimed, and what acts may end. */
  readonly leave?: AbortSignal;
}

export type TurnResult =
  | (ClosedTurn & { readonly kind: "closed"; readonly output?: JsonValue; readonly words?: string })
  | { readonly kind: "waiting"; readonly untilMs: number | undefined; readonly for: WaitedFor }
  /** This worker lacks something, and has left the turn as it was. */
  | { readonly kind: "blocked"; readonly block: Block };

/**
 * What moves a turn that waits: a person or another run, or a signal, also before its time, or time
 * alone.
 */
export type WaitedFor = "person" | "signal" | "time";
