/** How long runs stood still after a strike, and until they moved as before. */
export interface Recovery {
  /** Until the first payment after the pause that a strike made; the longest of all strikes. */
  readonly firstMs: number;
  /** Until payments came as fast as before; the longest of all strikes. Not a number when never. */
  readonly fullMs: number;
}

/** A pause belongs to a strike when it begins within this time. */
const PAUSE_BEGINS_MS = 2_000;
const BEFORE_MS = 3_000;
const WINDOW_MS = 1_000;
/** As fast as before, give or take what one second differs from the next. */
const FULL = 0.7;

export function findRecovery(timesMs: readonly number[], strikesMs: readonly number[]): Recovery {
  const each = strikesMs.map((strikeMs) => ({
    first: endOfPause(timesMs, strikeMs) - strikeMs,
    full: fullAgain(timesMs, strikeMs) - strikeMs,
  }));
  return {
    firstMs: Math.max(...each.map(({ first }) => first)),
    fullMs: Math.max(...each.map(({ full }) => full)),
  };
}

function endOfPause(timesMs: readonly number[], strikeMs: number): number {
  let longest = { lengthMs: 0, endMs: Number.NaN };
  let lastMs = strikeMs;
  for (const timeMs of timesMs) {
    if (timeMs < strikeMs) continue;
    if (timeMs - lastMs > longest.lengthMs) longest = { lengthMs: timeMs - lastMs, endMs: timeMs };
    lastMs = timeMs;
    if (lastMs > strikeMs + PAUSE_BEGINS_MS) break;
  }
  return longest.endMs;
}

function fullAgain(timesMs: readonly number[], strikeMs: number): number {
  const countIn = (fromMs: number, lengthMs: number) =>
    timesMs.filter((timeMs) => timeMs >= fromMs && timeMs < fromMs + lengthMs).length;
  const wanted = (countIn(strikeMs - BEFORE_MS, BEFORE_MS) / BEFORE_MS) * WINDOW_MS * FULL;
  const beginMs = endOfPause(timesMs, strikeMs);
  const endMs = (timesMs.at(-1) ?? 0) - WINDOW_MS;
  for (let fromMs = beginMs; fromMs <= endMs; fromMs += 100)
    if (countIn(fromMs, WINDOW_MS) >= wanted) return fromMs;
  return Number.NaN;
}
