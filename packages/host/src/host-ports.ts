/** What a host is made of. */
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

/** What tells and reads runs. */
export interface ClientPorts {
  readonly stores: Stores;
  readonly clock: Clock;
  readonly ids: Ids;
  /** What the ids of runs begin with that are started here: where the router looks for them. */
  readonly cell?: string;
  readonly registry: Registry;
  readonly models: ReadonlyMap<string, Model>;
  readonly tools: BoundTools;
  /** Where the secrets of tools come from. Without it there are none. */
  readonly secrets?: Secrets;
  readonly prices?: PriceTable;
  /** What limits the pace of prompts that ask for it. Without it nobody can tell. */
  readonly rateLimits?: RateLimits;
  /** Where whoever watches a run hears of it at once. */
  readonly live?: LiveBus;
  /** The rules of today: what they deny is denied to every run, also to those that wait. */
  readonly policy?: Policy;
  /** Rules to try: what they would have decided is recorded, and has no effect. */
  readonly shadow?: Policy;
  /** Threads at hand, so that the next turn of a run need not read them again. */
  readonly threadCache?: ThreadCache;
  /** Where what calls gave is kept for others. Without it each is made. */
  readonly calls?: CallIndexes;
}

/** What drives them, too: it signs. */
export interface HostPorts extends ClientPorts {
  readonly signer: Signer;
  /** What is paused now. Without it nothing is; while it cannot be read, nothing begins. */
  readonly pauses?: Pauses;
  /** What all runs of the tenant together may take. Without it there is no limit. */
  readonly turnLimits?: TurnLimits;
  /** What all tenants together may ask of providers. Without it, as much as they like. */
  readonly providerLimits?: ProviderLimits;
  /** Told of a look for a cancel that failed while an action of the run was in flight. */
  readonly onLookFailed?: (run: string, error: unknown) => void;
}

/** What all runs of a tenant together may take, asked before each turn. */
export interface TurnLimits {
  /** The limit that is reached; undefined where the turn may begin. */
  find(asked: AskedTurn): Promise<ReachedLimit | undefined>;
}

/** A turn that would begin. */
export interface AskedTurn {
  /** True for the first turn of a run. */
  readonly isFirst: boolean;
  /** What the run has waited for, by its log. */
  readonly waited: ReachedLimit | undefined;
  /** A model that the run may come to ask, and whose price nobody knows. */
  findUnpriced(): string | undefined;
}

/** A limit, by name, and when it is over by itself. */
export interface ReachedLimit {
  readonly what: string;
  readonly untilMs?: number;
}
