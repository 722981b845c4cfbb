interface Written {
  readonly ms: number;
  readonly text: string;
}

let latest: Written = { ms: Number.NaN, text: "" };
let before = latest;

/**
 * ISO 8601 in UTC. Many events fall into one millisecond, and writing a time is slow: the last two
 * are kept, since the time of an event and the deadline that it names take turns.
 */
export function formatInstant(ms: number): string {
  if (ms === latest.ms) return latest.text;
  const next = ms === before.ms ? before : { ms, text: new Date(ms).toISOString() };
  [before, latest] = [latest, next];
  return latest.text;
}
