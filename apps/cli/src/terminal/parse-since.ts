import { InvalidArgumentError } from "commander";

const UNITS_MS: Readonly<Record<string, number>> = {
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Reads a time in the past: an instant, a day, or how long ago it is. */
export function parseSince(text: string, nowMs: number): string {
  const [, count, unit = ""] = /^(\d{1,6})([mhd])$/.exec(text) ?? [];
  const ms = count === undefined ? Date.parse(text) : nowMs - Number(count) * (UNITS_MS[unit] ?? 0);
  // A number alone would be read as a year.
  if (!Number.isNaN(ms) && (count !== undefined || /^\d{4}-\d{2}-\d{2}/.test(text)))
    return new Date(ms).toISOString();
  throw new InvalidArgumentError("Write a time such as 2030-01-31, or how long ago: 30m, 12h, 7d.");
}
