/** Binds what an operator gives into the ports of a host: local, or under an engine. */
import {
  bindLoops,
  bindTools,
  createRegistry,
  type Registry,
  type ToolBindings,
} from "@turnseal/kernel";
import {
  type Clock,
  type Ids,
  type LiveBus,
  type Model,
  memoryRateLimits,
  type RateLimits,
  randomIds,
  type Secrets,
  type Signer,
  type Stores,
  scriptedModel,
  systemClock,
} from "@turnseal/ports";
import type { Loop, Policy, PriceTable, Problem } from "@turnseal/protocol";
import type { HostPorts } from "./carrier.ts";
import { HostError } from "./host-error.ts";

export interface HostOptions {
  /** Every loop that may be run, also as a step or a tool of another. */
  readonly loops: readonly Loop<never, unknown>[];
  readonly stores: Stores;
  readonly signer: Signer;
  readonly models?: Readonly<Record<string, Model>>;
  /** Functions for tool loops that were written as documents. */
  readonly tools?: ToolBindings;
  /** Where the secrets that tools declare come from. Without it there are none. */
  readonly secrets?: Secrets;
  readonly prices?: PriceTable;
  /**
   * What limits the pace of prompts that ask for it, for every worker; without it, each host counts
   * for itself.
   */
  readonly rateLimits?: RateLimits;
  /** Where whoever watches a run hears of it at once. Without it nothing is told but by the log. */
  readonly live?: LiveBus;
  /** The rules of today: what they deny is denied to every run, also to those that wait. */
  readonly policy?: Policy;
  /** Rules to try: what they would have decided is recorded, and has no effect. */
  readonly shadow?: Policy;
  readonly clock?: Clock;
  readonly ids?: Ids;
}

export function bindHost(options: HostOptions): HostPorts {
  const { stores, clock = systemClock, ids = randomIds } = options;
  return {
    stores,
    clock,
    ids,
    signer: options.signer,
    registry: registerLoops(options.loops),
    models: new Map(Object.entries({ scripted: scriptedModel(), ...options.models })),
    tools: bindTools({ ...bindLoops(options.loops), ...options.tools }),
    rateLimits: options.rateLimits ?? memoryRateLimits(clock),
    ...(options.secrets === undefined ? {} : { secrets: options.secrets }),
    ...(options.prices === undefined ? {} : { prices: options.prices }),
    ...(options.live === undefined ? {} : { live: options.live }),
    ...(options.policy === undefined ? {} : { policy: options.policy }),
    ...(options.shadow === undefined ? {} : { shadow: options.shadow }),
  };
}

function registerLoops(loops: HostOptions["loops"]): Registry {
  const registry = createRegistry();
  for (const { definition } of loops) {
    const registration = registry.register(definition);
    if (registration.kind === "refused") {
      throw new HostError(
        "LOOP_REFUSED",
        `loop ${definition.id} is refused: ${describe(registration.problems)}`,
      );
    }
  }
  return registry;
}

function describe(problems: readonly Problem[]): string {
  return problems.map(({ path, message, mend }) => `${path} ${message}; ${mend}`).join(" | ");
}
