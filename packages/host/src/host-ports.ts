/** What a host is made of. */
import type { BoundTools, CallIndexes, Registry, ThreadCache } from "@turnseal/kernel";
import type {
  Clock,
  Ids,
  LiveBus,
  Model,
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
}
