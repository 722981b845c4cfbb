import type { Advanced, Blocked } from "./advanced.ts";

/** A run that a worker cannot carry is looked at again after as long as it has been so. */
export const BLOCKED_PAUSE_MS = 5_000;
export const BLOCKED_PAUSE_MS_MAX = 10 * 60 * 1000;
/** One that is paused goes on sooner after the lift. */
export const PAUSED_LOOK_MS_MAX = 5 * 60 * 1000;
/** Many runs of a tenant may be limited at once, and most know when that is over. */
export const LIMITED_PAUSE_MS = 60_000;
/** How long a limit may be over by the clock of whoever looks, and not by that of who keeps it. */
const CLOCKS_APART_MS = 1_000;

/** When somebody should look at a run again that was carried to where it stands. */
export function lookAtOf(dues: Advanced["dues"], nowMs: number): number | undefined {
  if (dues.kind === "blocked") return lookAgain(dues, nowMs);
  return "atMs" in dues ? dues.atMs : undefined;
}

/**
 * When to look at a blocked run again. Workers come and go: one that has what is missing may answer
 * the next look. An error would only be made again, and so would whatever took workers down: the
 * next look is whoever's who has mended it.
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
