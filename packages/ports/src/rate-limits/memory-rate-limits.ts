import type { Clock } from "../clock/clock.ts";
import {
  IN_FLIGHT_LOOK_MS,
  LINE_LENGTH_MAX,
  type LimitAnswer,
  type LimitRequest,
  type RateLimits,
} from "./rate-limits.ts";

/** The counts of one name. */
interface Counted {
  /** When each lease that is held ends by itself. */
  readonly held: Map<symbol, number>;
  /** When leases were taken within the window, in order. */
  readonly taken: number[];
  /** When the holders in line may come, in order. */
  readonly line: Map<string, number>;
}

/** Limits of one process, by its clock. */
export function memoryRateLimits(clock: Clock): RateLimits {
  const names = new Map<string, Counted>();
  return {
    take: async (request) => {
      const counted = names.get(request.name) ?? { held: new Map(), taken: [], line: new Map() };
      names.set(request.name, counted);
      return takeLease(counted, request, clock.now());
    },
  };
}

function takeLease(counted: Counted, request: LimitRequest, nowMs: number): LimitAnswer {
  const retryAtMs = findFreeLease(counted, request, nowMs) ?? findPlace(counted, request, nowMs);
  if (retryAtMs !== undefined) return { kind: "full", retryAtMs };
  const lease = Symbol(request.holder);
  if (request.inFlight !== undefined) counted.held.set(lease, nowMs + request.holdMs);
  if (request.perWindow !== undefined) counted.taken.push(nowMs);
  const release = (): void => void counted.held.delete(lease);
  let isCounted = request.perWindow !== undefined;
  const withdraw = (place: "kept" | "left"): void => {
    release();
    const isUncounted = isCounted && uncount(counted, nowMs);
    isCounted = false;
    // Its turn had come, and it is still its turn.
    if (isUncounted && place === "kept" && counted.line.size < LINE_LENGTH_MAX)
      counted.line.set(request.holder, nowMs);
  };
  return { kind: "taken", release, withdraw };
}

/** False where it is counted no more. */
function uncount({ taken }: Counted, atMs: number): boolean {
  const index = taken.indexOf(atMs);
  if (index >= 0) taken.splice(index, 1);
  return index >= 0;
}

/** When to look again for a lease, or undefined when one is free. */
function findFreeLease(
  { held }: Counted,
  { inFlight }: LimitRequest,
  nowMs: number,
): number | undefined {
  if (inFlight === undefined) return undefined;
  for (const [lease, endsAtMs] of held) if (endsAtMs <= nowMs) held.delete(lease);
  if (held.size < inFlight) return undefined;
  return Math.min(nowMs + IN_FLIGHT_LOOK_MS, ...held.values());
}

/**
 * Returns when there is a place within the window; undefined when there is one now. A waiting
 * holder gets a place in line, so that later ones do not overtake it.
 */
function findPlace(
  { taken, line }: Counted,
  { holder, perWindow }: LimitRequest,
  nowMs: number,
): number | undefined {
  if (perWindow === undefined) return undefined;
  const { count, windowMs } = perWindow;
  while (taken[0] !== undefined && taken[0] <= nowMs - windowMs) taken.shift();
  for (const [other, atMs] of line) if (atMs <= nowMs - windowMs) line.delete(other);
  const own = line.get(holder);
  if (own !== undefined && own > nowMs) return own;
  line.delete(holder);
  // A holder whose turn it is counts only taken leases; a new one also those in line.
  const before = own === undefined ? [...taken, ...line.values()].sort((a, b) => a - b) : taken;
  const freeAtMs = (before[before.length - count] ?? Number.NEGATIVE_INFINITY) + windowMs;
  if (freeAtMs <= nowMs) return undefined;
  if (line.size < LINE_LENGTH_MAX) line.set(holder, freeAtMs);
  return freeAtMs;
}
