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
import { openCalls } from "./open-calls.ts";
import { guardCompensations } from "./rollback/guard-compensations.ts";

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
  /**
   * The cell that the runs are in, three hexadecimal digits: the ids of those that are started here
   * begin with it. Without it they begin with anything.
   */
  readonly cell?: string;
}

export interface HostOptions extends ClientOptions {
  readonly signer: Signer;
  /** What is paused now, for whoever can tell. */
  readonly pauses?: Pauses;
  /** What all runs of the tenant together may take. Without it there is no limit. */
  readonly turnLimits?: TurnLimits;
  /** What all tenants together may ask of providers. Without it, as much as they like. */
  readonly providerLimits?: ProviderLimits;
  /** Told of a look for a cancel that failed while an action of the run was in flight. */
  readonly onLookFailed?: (run: string, error: unknown) => void;
}

export function bindHost(options: HostOptions): HostPorts {
  return {
    ...bindClient(withRoots(options)),
    signer: options.signer,
    ...(options.pauses === undefined ? {} : { pauses: options.pauses }),
    ...(options.turnLimits === undefined ? {} : { turnLimits: options.turnLimits }),
    ...(options.providerLimits === undefined ? {} : { providerLimits: options.providerLimits }),
    ...(options.onLookFailed === undefined ? {} : { onLookFailed: options.onLookFailed }),
    threadCache: createThreadCache(),
    calls: openCalls(options.stores, options.ids ?? randomIds),
  };
}

/** Whoever acts misses roots that nobody has bound; whoever only tells and reads does not. */
function withRoots(options: HostOptions): HostOptions {
  return { ...options, roots: options.roots ?? {} };
}

/** The ports of a host that can be given further loops. */
export interface GrowingPorts {
  readonly ports: HostPorts;
  /** Takes a loop, and those that it brings along; one that is known is no change. */
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

/** What tools declare is known only here. */
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
