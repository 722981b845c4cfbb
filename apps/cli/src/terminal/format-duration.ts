const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A duration as a person reads it. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  if (ms < MINUTE_MS) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms < HOUR_MS) return `${Math.floor(ms / MINUTE_MS)} min ${Math.floor(ms / 1_000) % 60} s`;
  if (ms < 2 * DAY_MS)
    return `${Math.floor(ms / HOUR_MS)} h ${Math.floor(ms / MINUTE_MS) % 60} min`;
  return `${Math.floor(ms / DAY_MS)} d ${Math.floor(ms / HOUR_MS) % 24} h`;
}
