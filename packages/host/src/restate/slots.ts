/**
 * How many messages act at once on one worker, shared among tenants by their weights.
 *
 * 1. Within a tenant, first come, first served. A slot is handed over directly: a later message
 *    cannot take it in between.
 * 2. Only so many messages of a tenant wait here, and for a while: a queue in a process is lost
 *    with it. A rejected message queues in a lane of the engine, and comes back from there.
 * 3. While a message from a lane waits here, a fresh one of its tenant does not: it would overtake
 *    the messages in the lanes.
 */
import type { Clock } from "@turnseal/ports";
import { invariant } from "@turnseal/protocol";
import { decideNextTenant, isRecent, SEEN_MS } from "./fair-share.ts";

export interface Slots {
  readonly max: number;
  inUse(): number;
  /** How many messages wait for a slot. */
  waiting(): number;
  /** Answers with what gives the slot back, or with nothing when none is to be had here. */
  take(asked: AskedSlot): Promise<(() => void) | undefined>;
}

export interface AskedSlot {
  readonly tenant: string;
  readonly clock: Clock;
  /** How long a slot is waited for. */
  readonly waitMs: number;
  /** True for a message that has been queued in a lane, and comes from there. */
  readonly isFromLane?: boolean;
  /** Aborted when the slot is no longer wanted. */
  readonly attempt?: AbortSignal;
}

export interface SlotsOptions {
  /** The weight of a tenant's share of the slots; one if absent. */
  readonly weightOf?: (tenant: string) => number;
}

/** The most messages of a tenant that wait in one worker, apart from messages of lanes. */
export const WAITING_MAX = 64;

interface Tenant {
  readonly queue: Waiting[];
  held: number;
  weight: number;
  pass: number;
  seenMs: number;
}

interface Waiting {
  readonly isFromLane: boolean;
  enter(): void;
}

/** The state of a worker's slots. */
interface SlotsState {
  readonly max: number;
  readonly tenants: Map<string, Tenant>;
  inUse: number;
  waiting: number;
  /** How far the strides of those have come who were served last. */
  pass: number;
  prunedMs: number;
}

export function createSlots(max: number, { weightOf = () => 1 }: SlotsOptions = {}): Slots {
  invariant(Number.isSafeInteger(max) && max > 0, "a worker has at least one slot");
  const tenants = new Map<string, Tenant>();
  const state: SlotsState = { max, tenants, inUse: 0, waiting: 0, pass: 0, prunedMs: 0 };
  return {
    max,
    inUse: () => state.inUse,
    waiting: () => state.waiting,
    take: async (asked) => {
      const nowMs = asked.clock.now();
      prune(state, nowMs);
      const tenant = tenants.get(asked.tenant) ?? createTenant();
      tenants.set(asked.tenant, tenant);
      const isIdle = tenant.held === 0 && tenant.queue.length === 0;
      if (isIdle) tenant.pass = Math.max(tenant.pass, state.pass);
      tenant.weight = weightOf(asked.tenant);
      invariant(tenant.weight > 0, "a tenant has a weight");
      tenant.seenMs = nowMs;
      const isSentAway = asked.isFromLane !== true && isToQueueElsewhere(tenant);
      return isSentAway ? undefined : join(state, tenant, asked);
    },
  };
}

/** Forgets tenants that are not there any more, now and then. */
function prune(state: SlotsState, nowMs: number): void {
  if (nowMs - state.prunedMs <= SEEN_MS) return;
  state.prunedMs = nowMs;
  for (const [name, tenant] of state.tenants)
    if (tenant.held === 0 && tenant.queue.length === 0 && !isRecent(tenant, nowMs))
      state.tenants.delete(name);
}

/** Waits in the tenant's queue, which may be for no time at all. */
function join(
  state: SlotsState,
  tenant: Tenant,
  { clock, waitMs, isFromLane = false, attempt }: AskedSlot,
): Promise<(() => void) | undefined> {
  return new Promise((resume) => {
    const leave = (): void => {
      cancel();
      attempt?.removeEventListener("abort", leave);
      const at = tenant.queue.indexOf(waiting);
      if (at === -1) return;
      tenant.queue.splice(at, 1);
      state.waiting -= 1;
      resume(undefined);
    };
    const waiting: Waiting = {
      isFromLane,
      enter: () => {
        leave();
        resume(giverOf(state, tenant, clock));
      },
    };
    const cancel = clock.after(waitMs, leave);
    attempt?.addEventListener("abort", leave);
    tenant.queue.push(waiting);
    state.waiting += 1;
    if (attempt?.aborted === true) leave();
    else fill(state, clock.now());
  });
}

function giverOf(state: SlotsState, tenant: Tenant, clock: Clock): () => void {
  let isGiven = false;
  return () => {
    if (isGiven) return;
    isGiven = true;
    tenant.held -= 1;
    state.inUse -= 1;
    fill(state, clock.now());
  };
}

/** Gives out what is free. */
function fill(state: SlotsState, nowMs: number): void {
  const { max, tenants } = state;
  // Most of the time no message waits, and there may be many tenants.
  while (state.waiting > 0) {
    const next = decideNextTenant(tenants.values(), { max, free: max - state.inUse, nowMs });
    const first = next?.queue.shift();
    if (next === undefined || first === undefined) return;
    state.waiting -= 1;
    state.pass = next.pass;
    next.pass += 1 / next.weight;
    next.held += 1;
    state.inUse += 1;
    first.enter();
  }
}

function createTenant(): Tenant {
  return { queue: [], held: 0, weight: 1, pass: 0, seenMs: 0 };
}

function isToQueueElsewhere({ queue }: Tenant): boolean {
  return queue.length >= WAITING_MAX || queue.some(({ isFromLane }) => isFromLane);
}
