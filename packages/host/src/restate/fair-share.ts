/**
 * Decides which tenant gets a free slot.
 *
 * 1. Each tenant has a share of the slots by its weight, among tenants that have or want one, and
 *    at least one slot. A tenant below its share goes before a tenant at or above it.
 * 2. Among equals, stride scheduling decides: a tenant of weight two is served twice as often as
 *    one of weight one, and time without requests earns no credit.
 * 3. While other tenants were active a moment ago, a few slots are kept from a tenant that has its
 *    share. So a rare request finds a slot and need not wait for a long step.
 */

/** The slots of a worker that a tenant has and wants. */
export interface TenantUse {
  readonly held: number;
  /** Its waiting messages. */
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

/** One slot in this many is kept for tenants below their share. */
const RESERVE_PART = 8;
/** With fewer slots than this none is kept: it would be too much of them. */
const RESERVE_SLOTS_MIN = 4;
/** For how long slots are kept for a tenant that was seen. */
export const SEEN_MS = 60_000;

export function measureReserve(max: number): number {
  return max < RESERVE_SLOTS_MIN ? 0 : Math.max(1, Math.floor(max / RESERVE_PART));
}

/** The tenant that gets the next slot; undefined if none is free, none is wanted, or it is kept. */
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
