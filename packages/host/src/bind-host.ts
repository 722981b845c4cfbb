/** Binds what an operator gives into the ports of a host: local, or under an engine. */
import {
  type BoundTools,
  bindLoops,
  bindModels,
  checkCacheEffects,
  checkGroupMembers,
  checkReversible,
  createRegistry,
  createThreadCache,
  type ModelBindings,
  type Registry,
  type ToolBindings,
} from "@turnseal/kernel";
import {
  type Clock,
  type Ids,
  type LiveBus,
  memoryRateLimits,
  type Observer,
  type ProviderLimits,
  type RateLimits,
  type Roots,
  randomIds,
  type Secrets,
  type Signer,
  type Stores,
  systemClock,
} from "@turnseal/ports";
import {
  isCell,
  type Pauses,
  type Policy,
  type PriceTable,
  type Problem,
} from "@turnseal/protocol";
import { type Loop, withUsed } from "@turnseal/protocol/authoring";
import { HostError } from "./host-error.ts";
import type { ClientPorts, HostPorts, TurnLimits } from "./host-ports.ts";
import { type ObservedRuns, observeRuns } from "./observe/observe-runs.ts";
import { openCalls } from "./stores/open-calls.ts";
import { guardCompensations } from "./undo/check/guard-compensations.ts";

export interface ClientOptions {
  /** The loops that may be run. Each brings the tools and steps that it names along. */
  readonly loops: readonly Loop<never, unknown>[];
  /** Where they were registered before. Without it they are registered here, and checked. */
  readonly registry?: Registry;
  readonly stores: Stores;
  readonly models?: ModelBindings;
  /** Functions for tool loops that were written as documents. */
  readonly tools?: ToolBindings;
  /** The roots of files that tools declare. A run that needs another is left to other workers. */
  readonly roots?: Roots;
  /** Where the secrets that tools declare come from. Without it there are none. */
  readonly secrets?: Secrets;
  readonly prices?: PriceTable;
  /**
   * Limits the pace of prompts that ask for it, for every worker; without it, each host counts for
   * itself.
   */
  readonly rateLimits?: RateLimits;
  /** Reports live events to the watchers of a run. Without it, watchers only have the log. */
  readonly live?: LiveBus;
  /** The rules of today: they may deny an action of any run, also of one that waits. */
  readonly policy?: Policy;
  /** Rules to try: what they would have decided is recorded, and has no effect. */
  readonly shadow?: Policy;
  readonly clock?: Clock;
  readonly ids?: Ids;
  /**
   * The cell of the runs, three hexadecimal digits: the ids of runs that are started here begin
   * with it. Without it, ids begin with anything.
   */
  readonly cell?: string;
}

export interface HostOptions extends ClientOptions {
  readonly signer: Signer;
  /** Reads the pauses that are in force now. */
  readonly pauses?: Pauses;
  /** Limits all runs of the tenant together. Without it there is no limit. */
  readonly turnLimits?: TurnLimits;
  /** Limits what all tenants together ask of providers. Without it there is no limit. */
  readonly providerLimits?: ProviderLimits;
  /** Called if a look for a cancel failed while an action of the run was in flight. */
  readonly onLookFailed?: (run: string, error: unknown) => void;
  /** Hear what the runs of this host do, and change nothing. */
  readonly observers?: readonly Observer[];
  /** The tenant of the runs, as observers hear it: `default` unless it is given. */
  readonly tenant?: string;
  /** Called for the first of several failures of an observer. */
  readonly onObserverFailed?: (observer: string, error: unknown) => void;
}

/** The name of the tenant unless the options name one. */
const TENANT_OBSERVED = "default";

export function bindHost(given: HostOptions): HostPorts {
  const { observed, ...options } = withObservers(given);
  return {
    ...bindClient(withRoots(options)),
    ...(observed === undefined ? {} : { observed }),
    signer: options.signer,
    ...(options.pauses === undefined ? {} : { pauses: options.pauses }),
    ...(options.turnLimits === undefined ? {} : { turnLimits: options.turnLimits }),
    ...(options.providerLimits === undefined ? {} : { providerLimits: options.providerLimits }),
    ...(options.onLookFailed === undefined ? {} : { onLookFailed: options.onLookFailed }),
    threadCache: createThreadCache(),
    calls: openCalls(options.stores, options.ids ?? randomIds),
  };
}

/** Observers hear what is appended to the stores of the host, and what was left in the outbox. */
function withObservers(options: HostOptions): HostOptions & { readonly observed?: ObservedRuns } {
  const { stores, clock = systemClock, observers = [], onObserverFailed = () => {} } = options;
  if (observers.length === 0) return options;
  const { tenant = TENANT_OBSERVED } = options;
  const observed = observeRuns({ stores, clock, observers, tenant, onObserverFailed });
  void observed.look();
  return { ...options, stores: observed.stores, observed };
}

/** A host reports roots without a binding; a client does not need them. */
function withRoots(options: HostOptions): HostOptions {
  return { ...options, roots: options.roots ?? {} };
}

/** The ports of a host that accepts further loops. */
export interface GrowingPorts {
  readonly ports: HostPorts;
  /** Adds a loop, and the loops that it uses; a known loop changes nothing. */
  register(loop: Loop<never, unknown>): void;
}

export function bindGrowing(options: HostOptions): GrowingPorts {
  const bound = bindHost(options);
  const { registry } = bound;
  const known = new Set(options.loops);
  let { tools } = bound;
  return {
    ports: { ...bound, tools: { ...tools, find: (name, version) => tools.find(name, version) } },
    register: (loop) => {
      if (known.has(loop)) return;
      const loops = withUsed([...known, loop]);
      registerLoops(loops, registry);
      const grown = bindFunctions({ ...withRoots(options), loops });
      checkBound(registry, grown);
      tools = guardCompensations({ ...bound, tools: grown });
      known.add(loop);
    },
  };
}

export function bindClient(options: ClientOptions): ClientPorts {
  const { stores, clock = systemClock, ids = randomIds } = options;
  const loops = withUsed(options.loops);
  const registry = options.registry ?? registerLoops(loops);
  const tools = bindFunctions({ ...options, loops });
  checkBound(registry, tools);
  return {
    stores,
    clock,
    ids,
    registry,
    models: bindModels(options.models),
    tools: guardCompensations({ stores, clock, registry, tools }),
    rateLimits: options.rateLimits ?? memoryRateLimits(clock),
    ...(options.secrets === undefined ? {} : { secrets: options.secrets }),
    ...(options.prices === undefined ? {} : { prices: options.prices }),
    ...(options.live === undefined ? {} : { live: options.live }),
    ...(options.policy === undefined ? {} : { policy: options.policy }),
    ...(options.shadow === undefined ? {} : { shadow: options.shadow }),
    ...(options.cell === undefined ? {} : { cell: checkCell(options.cell) }),
  };
}

function checkCell(cell: string): string {
  if (isCell(cell)) return cell;
  throw new HostError("CELL_REFUSED", "a cell is named by three hexadecimal digits, such as 00a");
}

function bindFunctions({
  loops,
  tools,
  roots,
  secrets,
}: Pick<ClientOptions, "loops" | "tools" | "roots" | "secrets">): BoundTools {
  const binding = bindLoops(loops, tools, roots, secrets);
  if (binding.kind === "bound") return binding.tools;
  const [first] = binding.clashes;
  throw refuseLoop(
    first?.loop.definition.id ?? "",
    binding.clashes.map(({ problem }) => problem),
  );
}

/** Only the bound tools say which effects they declare. */
function checkBound(registry: Registry, tools: BoundTools): void {
  for (const loop of registry.list()) {
    const effectOf = (name: string, version: string) => tools.find(name, version)?.effect;
    const problems = [
      ...checkCacheEffects(loop, registry.resolve, effectOf),
      ...checkReversible(loop, registry.resolve, tools.find),
      ...checkGroupMembers(loop, registry.resolve, tools.find),
    ];
    if (problems.length > 0) throw refuseLoop(loop.definition.id, problems);
  }
}

function registerLoops(loops: ClientOptions["loops"], registry = createRegistry()): Registry {
  for (const { definition, refinements } of loops) {
    const registration = registry.register(definition, { refinements });
    if (registration.kind === "refused") {
      throw refuseLoop(definition.id, registration.problems);
    }
  }
  return registry;
}

function refuseLoop(id: string, problems: readonly Problem[]): HostError {
  const words = problems.map(({ path, message, mend }) => `${path} ${message}; ${mend}`);
  return new HostError("LOOP_REFUSED", `loop ${id} is refused: ${words.join(" | ")}`);
}
