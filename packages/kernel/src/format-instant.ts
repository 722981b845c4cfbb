let lastMs = Number.NaN;
let lastText = "";

/**
 * ISO 8601 in UTC. Many events fall into one millisecond, and writing a time is slow: the last one
 * is kept.
 */
export function formatInstant(ms: number): string {
  if (ms !== lastMs) {
    lastText = new Date(ms).toISOString();
    lastMs = ms;
  }
  return lastText;
}
