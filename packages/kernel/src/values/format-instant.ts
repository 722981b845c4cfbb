interface Written {
  readonly ms: number;
  readonly text: string;
}

let latest: Written = { ms: Number.NaN, text: "" };
let before = latest;

/**
 * ISO 8601 in UTC. Many events fall into one millisecond, and formatting a time is slow. The last
 * two are kept, since the time of an event and its deadline alternate.
 */
export function formatInstant(ms: number): string {
  if (ms === latest.ms) return latest.text;
  const next = ms === before.ms ? before : { ms, text: new Date(ms).toISOString() };
  [before, latest] = [latest, next];
  return latest.text;
}
