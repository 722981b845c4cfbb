/**
 * Which tenant gets a slot that is free.
 *
 * 1. Each tenant's share of the slots is by its weight, among those that have or want one, and at
 *    least one slot. Whoever is below its share goes before whoever is not.
 * 2. Among equals it goes by strides: a tenant of weight two is served twice as often as one of
 *    weight one, and whoever was away has saved nothing up.
 * 3. A few slots are not given to a tenant that has its share already while others were seen a
 *    moment ago: whoever comes seldom finds one, and need not wait until a long step ends.
 */

/** What a tenant has and wants of a worker's slots. */
export interface TenantUse {
  readonly held: number;
  /** Whoever waits for one. */
  readonly queue: { readonly length: number };
  readonly weight: number;
  /** How far its strides have come. */
  readonly pass: number;
  /** When it asked for a slot last. */
  readonly seenMs: number;
}

export interface FreeSlots {
  readonly max: number;
  readonly free: number;
  readonly nowMs: number;
}

/** One of so many slots is kept for whoever has less than its share. */
const RESERVE_PART = 8;
/** With fewer slots than this none is kept: it would be too much of them. */
const RESERVE_SLOTS_MIN = 4;
/** For how long slots are kept for a tenant that was seen. */
export const SEEN_MS = 60_000;

export function measureReserve(max: number): number {
  return max < RESERVE_SLOTS_MIN ? 0 : Math.max(1, Math.floor(max / RESERVE_PART));
}

/** Who gets the next slot; undefined where none is free, none is wanted, or it is kept. */
export function decideNextTenant<Use extends TenantUse>(
  tenants: Iterable<Use>,
  { max, free, nowMs }: FreeSlots,
): Use | undefined {
  if (free <= 0) return undefined;
  const wanting: Use[] = [];
  const weights = { seen: 0, active: 0 };
  let seen = 0;
  for (const tenant of tenants) {
    const isActive = tenant.held > 0 || tenant.queue.length > 0;
    if (!isActive && !isRecent(tenant, nowMs)) continue;
    seen += 1;
    weights.seen += tenant.weight;
    if (isActive) weights.active += tenant.weight;
    if (tenant.queue.length > 0) wanting.push(tenant);
  }
  const isKept = seen > 1 && free <= measureReserve(max);
  const isBelow = ({ held, weight }: Use, total: number): boolean =>
    held < Math.max(1, (max * weight) / total);
  let next: { readonly tenant: Use; readonly isBelow: boolean } | undefined;
  for (const tenant of wanting) {
    if (isKept && !isBelow(tenant, weights.seen)) continue;
    const candidate = { tenant, isBelow: isBelow(tenant, weights.active) };
    if (next === undefined || goesBefore(candidate, next)) next = candidate;
  }
  return next?.tenant;
}

interface Candidate {
  readonly tenant: TenantUse;
  readonly isBelow: boolean;
}

function goesBefore(one: Candidate, other: Candidate): boolean {
  return one.isBelow === other.isBelow ? one.tenant.pass < other.tenant.pass : one.isBelow;
}

/** True for a tenant that may be back at any moment. */
export function isRecent({ seenMs }: Pick<TenantUse, "seenMs">, nowMs: number): boolean {
  return nowMs - seenMs < SEEN_MS;
}
