const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** A duration as a person reads it. */
export function formatDuration(ms: number): string {
  if (ms < 1_000) return `${ms} ms`;
  if (ms < MINUTE_MS) return `${(ms / 1_000).toFixed(1)} s`;
  if (ms < HOUR_MS) return join(ms, [MINUTE_MS, "min"], [1_000, "s"]);
  if (ms < 2 * DAY_MS) return join(ms, [HOUR_MS, "h"], [MINUTE_MS, "min"]);
  return join(ms, [DAY_MS, "d"], [HOUR_MS, "h"]);
}

type Unit = readonly [ms: number, name: string];

/** In two units, and in one where nothing is left for the smaller. */
function join(ms: number, [large, name]: Unit, [small, other]: Unit): string {
  const rest = Math.floor((ms % large) / small);
  return `${Math.floor(ms / large)} ${name}${rest === 0 ? "" : ` ${rest} ${other}`}`;
}
