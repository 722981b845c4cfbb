import type { Advanced, Blocked } from "./advanced.ts";

/** A blocked run is looked at again after as long as it has been blocked. */
export const BLOCKED_PAUSE_MS = 5_000;
export const BLOCKED_PAUSE_MS_MAX = 10 * 60 * 1000;
/** A paused run goes on sooner after the lift. */
export const PAUSED_LOOK_MS_MAX = 5 * 60 * 1000;
/** Many runs of a tenant may be limited at once, and most know when that is over. */
export const LIMITED_PAUSE_MS = 60_000;
/** How much the clock of the host may be ahead of the clock that keeps the limit. */
const CLOCKS_APART_MS = 1_000;

/** The time of the next look at a run after it was driven. */
export function lookAtOf(dues: Advanced["dues"], nowMs: number): number | undefined {
  if (dues.kind === "blocked") return lookAgain(dues, nowMs);
  return "atMs" in dues ? dues.atMs : undefined;
}

/**
 * When to look at a blocked run again. Workers come and go: the next look may find one that has the
 * missing part. An error and a quarantine have no time: a retry would fail again, so the next look
 * is for the person who fixed the cause.
 */
function lookAgain({ sinceMs, why, atMs }: Blocked, nowMs: number): number | undefined {
  if (sinceMs === undefined || why === "error" || why === "quarantined") return undefined;
  const isLimited = why === "limited";
  const leastMs = isLimited ? LIMITED_PAUSE_MS : BLOCKED_PAUSE_MS;
  const mostMs = why === "paused" ? PAUSED_LOOK_MS_MAX : BLOCKED_PAUSE_MS_MAX;
  const againMs = nowMs + Math.max(leastMs, Math.min(nowMs - sinceMs, mostMs));
  if (isLimited && atMs !== undefined)
    return Math.min(againMs, Math.max(atMs, nowMs + CLOCKS_APART_MS));
  const isSooner = atMs !== undefined && atMs > nowMs && atMs < againMs;
  return isSooner ? atMs : againMs;
}
