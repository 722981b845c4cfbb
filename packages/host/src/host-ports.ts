/** The parts that a host is made of. */
import type { BoundTools, CallIndexes, Registry, ThreadCache } from "@turnseal/kernel";
import type {
  Clock,
  Ids,
  LiveBus,
  Model,
  ProviderLimits,
  RateLimits,
  Secrets,
  Signer,
  Stores,
} from "@turnseal/ports";
import type { Pauses, Policy, PriceTable } from "@turnseal/protocol";
import type { ObservedRuns } from "./observe/observe-runs.ts";

/** The ports of a client, which starts, messages and reads runs. */
export interface ClientPorts {
  readonly stores: Stores;
  readonly clock: Clock;
  readonly ids: Ids;
  /**
   * The prefix of the ids of runs that are started here: the cell where the router looks for them.
   */
  readonly cell?: string;
  readonly registry: Registry;
  readonly models: ReadonlyMap<string, Model>;
  readonly tools: BoundTools;
  /** Where the secrets of tools come from. Without it there are none. */
  readonly secrets?: Secrets;
  readonly prices?: PriceTable;
  /** Limits the pace of prompts that ask for it. Without it, the pace is unknown. */
  readonly rateLimits?: RateLimits;
  /** Reports live events to the watchers of a run. */
  readonly live?: LiveBus;
  /** The rules of today: they may deny an action of any run, also of one that waits. */
  readonly policy?: Policy;
  /** Rules to try: what they would have decided is recorded, and has no effect. */
  readonly shadow?: Policy;
  /** Threads at hand, so that the next turn of a run need not read them again. */
  readonly threadCache?: ThreadCache;
  /** Where what calls gave is kept for others. Without it each is made. */
  readonly calls?: CallIndexes;
}

/** The ports that drive runs, too: they sign. */
export interface HostPorts extends ClientPorts {
  readonly signer: Signer;
  /**
   * Reads the present pauses. Without it there are none; while they cannot be read, nothing begins.
   */
  readonly pauses?: Pauses;
  /** Limits all runs of the tenant together. Without it there is no limit. */
  readonly turnLimits?: TurnLimits;
  /** Limits what all tenants together ask of providers. Without it there is no limit. */
  readonly providerLimits?: ProviderLimits;
  /** Called if a look for a cancel failed while an action of the run was in flight. */
  readonly onLookFailed?: (run: string, error: unknown) => void;
  /** The looks of observers into the outbox, where the host has observers. */
  readonly observed?: Pick<ObservedRuns, "look" | "close">;
}

/** Limits all runs of a tenant together. It is checked before each turn. */
export interface TurnLimits {
  /** The limit that is reached; undefined if the turn may begin. */
  find(asked: AskedTurn): Promise<ReachedLimit | undefined>;
}

/** A turn that would begin. */
export interface AskedTurn {
  /** True for the first turn of a run. */
  readonly isFirst: boolean;
  /** The limit that the run has waited for, by its log. */
  readonly waited: ReachedLimit | undefined;
  /** A model that the run may ask, without a known price. */
  findUnpriced(): string | undefined;
}

/** A limit, by name, and when it is over by itself. */
export interface ReachedLimit {
  readonly what: string;
  readonly untilMs?: number;
}
