/** The options of runs under an engine, and the checks that every handler begins with. */
import { TerminalError } from "@restatedev/restate-sdk";
import type { Blocked } from "../decide/advanced.ts";
import type { HostPorts } from "../host-ports.ts";
import type { Release } from "../release/release.ts";
import type { Kept } from "./keep-message.ts";
import { parseRunKey, type RunKey } from "./run-key.ts";
import type { Slots } from "./slots.ts";
import {
  isQueued,
  type Owed,
  type Queued,
  type StepOptions,
  type StepPlace,
  stepInSlot,
  stepRun,
} from "./step-run.ts";
import { engineTiming, RETRY_PAUSE_MS_MAX, type RunTiming } from "./timing.ts";

export interface RunObjectOptions extends RunTiming, Watching {
  /** How this worker stands to a tenant, asked for each message. */
  readonly portsOf: (tenant: string) => Promise<TenantPorts>;
  /** How many runs this worker drives at once; unbounded if absent. */
  readonly slots?: Slots;
  /** How many steps of a tenant all workers take at once; undefined for one without a cap. */
  readonly capOf?: (tenant: string) => number | undefined;
  /** Called for a message that found no slot, and queues in the engine. */
  readonly onQueued?: (tenant: string) => void;
  /** Wraps all work for a run, so that stray errors can be assigned to it. */
  readonly within?: <Result>(place: RunKey, carry: () => Promise<Result>) => Promise<Result>;
  /** Knows what this worker and others can execute. Without it, the worker knows of no others. */
  readonly releases?: Releases;
}

/**
 * A suspended tenant begins nothing; its messages are kept. A tenant that is not served here may be
 * served by a later worker.
 */
export type TenantPorts =
  | { readonly kind: "served" | "suspended"; readonly ports: HostPorts }
  | {
      readonly kind: "unserved";
      readonly nowMs: number;
      /** Whether the store has anything of a run of it. */
      readonly hasRun: (run: string) => Promise<boolean>;
    };

export interface Releases {
  readonly own: Release;
  /** Every release that is registered, the one to prefer first. */
  list(): Promise<readonly Release[]>;
}

/** Callbacks for the operator of a worker, called at each look at a run. */
interface Watching {
  readonly onBlocked?: (run: RunKey, blocked: Blocked) => void;
  readonly onFailed?: (run: RunKey, error: unknown) => void;
}

/** As many attempts as the engine can count. */
const ATTEMPTS_UNBOUNDED = 2 ** 31 - 1;

/** Engine options of every handler that acts. */
export const ENGINE_OPTIONS = {
  // The engine's own cancel must not free the key while a step still acts.
  explicitCancellation: true,
  // A store or an engine that is away comes back: there is no number of attempts to give up at.
  retryPolicy: {
    initialInterval: 50,
    exponentiationFactor: 2,
    maxInterval: RETRY_PAUSE_MS_MAX,
    maxAttempts: ATTEMPTS_UNBOUNDED,
  },
  journalRetention: 0,
} as const;

export interface FoundRun extends RunKey {
  readonly ports: HostPorts;
}

export interface AskedStep extends Pick<StepOptions, "attempt" | "findElsewhere" | "away"> {
  readonly from: StepPlace["from"];
}

/** Takes a step of a run, in a slot of this worker. */
export function stepFor(
  { tenant, run, ports }: FoundRun,
  options: RunObjectOptions,
  { from, ...step }: AskedStep,
): Promise<Owed | Queued> {
  const { onBlocked = () => {}, onFailed = () => {}, onQueued = () => {}, slots } = options;
  const { within = (_, carry) => carry() } = options;
  const { sliceMs } = engineTiming(options);
  const told: StepOptions = {
    ...{ ...step, sliceMs, keepsResults: true, quarantines: true },
    onBlocked: (_, blocked) => onBlocked({ tenant, run }, blocked),
    onFailed: (_, error) => onFailed({ tenant, run }, error),
  };
  const cap = options.capOf?.(tenant);
  return within({ tenant, run }, async () => {
    if (slots === undefined) return stepRun(run, ports, told);
    const place = { tenant, slots, from, ...(cap === undefined ? {} : { cap }) };
    const stepped = await stepInSlot(run, ports, told, place);
    if (isQueued(stepped) && from === "engine") onQueued(tenant);
    return stepped;
  });
}

/** A key that is no run key fails without a retry. */
export function readKey(key: string): RunKey {
  const named = parseRunKey(key);
  if (named === undefined) throw noSuchRun();
  return named;
}

export function noSuchRun(): TerminalError {
  return new TerminalError("no such run", { errorCode: 404 });
}

/** The run of a key, where its tenant may act; otherwise its message is to be kept. */
export async function findRun(
  key: string,
  { portsOf }: Pick<RunObjectOptions, "portsOf">,
): Promise<FoundRun | Kept> {
  const named = readKey(key);
  const answer = await portsOf(named.tenant);
  if (answer.kind === "unserved")
    return { keptAtMs: answer.nowMs, isGone: !(await answer.hasRun(named.run)) };
  const { kind, ports } = answer;
  return kind === "served" ? { ...named, ports } : { keptAtMs: ports.clock.now() };
}
