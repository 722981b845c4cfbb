/** The request for a turn, its ports, and its result. */

import type { NotesByScope } from "@turnseal/folds";
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
import type { ManagedRoots } from "@turnseal/protocol/artifact";
import type { ParentClaim } from "@turnseal/protocol/receipts";
import type { CallIndexes } from "../cache/call-caches.ts";
import type { Appender } from "../log/appender.ts";
import type { ClosedTurn } from "../receipt/seal-turn.ts";
import type { Registry } from "../registry/registry.ts";
import type { Standing } from "../step/standing.ts";
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
  /** The documents and summaries for its prompts. */
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
  /** The events of the turn so far, from `turn.started`; empty for a new one. */
  readonly recorded: readonly LoopEvent[];
}

export interface TurnPorts {
  readonly appender: Appender;
  readonly clock: Clock;
  readonly signer: Signer;
  readonly registry: Registry;
  /** The spending of the run, folded from its events. */
  readonly spending: () => Spending;
  /** The approvals that stand in the run, folded from its events. Without it there are none. */
  readonly standing?: Standing | undefined;
  readonly effects: TurnEffects;
  readonly memory: TurnMemory;
  readonly control: TurnControl;
}

/** The models and tools of the turn. */
export interface TurnEffects {
  readonly models: ReadonlyMap<string, Model>;
  readonly prices: PriceTable | undefined;
  readonly tools: BoundTools;
  /** Without it there are none, and a tool that declares one is not executed. */
  readonly secrets?: Secrets | undefined;
}

/** The stored parts of the run, as they are before the turn. */
export interface TurnMemory {
  /** The caches of calls. Without them every call runs. */
  readonly calls?: CallIndexes | undefined;
  /** The threads of earlier turns. Without them prompts begin new ones. */
  readonly history?: ThreadHistory | undefined;
  /** The notes from before the turn. Without them there are none. */
  readonly notes?: NotesByScope | undefined;
  /** The files outside that the run manages now. Without it there are none. */
  readonly artifacts?: ManagedRoots | undefined;
}

/** The limits of the turn, and the signals that stop it. */
export interface TurnControl {
  /** The rules of the run, and those of today. */
  readonly rules?: RulesInForce | undefined;
  /** The current pauses. Without them there are none; if they cannot be read, nothing begins. */
  readonly pauses?: Pauses | undefined;
  /** The rate limiter of prompts with a limit. Without it, the answer is unknown. */
  readonly rateLimits?: RateLimits | undefined;
  /** The provider limits of all tenants together. Without them there are none. */
  readonly providerLimits?: ProviderLimits | undefined;
  /**
   * Takes a waiting cancel into the log, and answers whether there was one. Feedback for running
   * prompts may be taken with it.
   */
  readonly takeCancel: () => Promise<boolean>;
  /** Called when looking for a cancel has failed. */
  readonly onCancelUnknown?: ((error: unknown) => void) | undefined;
  /**
   * Aborted when this attempt is over: running actions are stopped, and nothing more is written.
   */
  readonly attempt?: AbortSignal | undefined;
  /** Aborted when the turn is to be left: nothing more is claimed, and what acts may end. */
  readonly leave?: AbortSignal | undefined;
  /** The bus for live output. */
  readonly live?: LiveBus | undefined;
}

export type TurnResult =
  | (ClosedTurn & { readonly kind: "closed"; readonly output?: JsonValue; readonly words?: string })
  | { readonly kind: "waiting"; readonly untilMs: number | undefined; readonly for: WaitedFor }
  /** This worker lacks something, and has left the turn as it was. */
  | { readonly kind: "blocked"; readonly block: Block };

/**
 * What ends a wait: a person or another run; a signal; or time alone. The first two can come before
 * their time.
 */
export type WaitedFor = "person" | "signal" | "time";
