import { InvalidArgumentError } from "commander";

const UNITS_MS: Readonly<Record<string, number>> = {
  s: 1_000,
  m: 60_000,
  h: 3_600_000,
  d: 86_400_000,
};

/** Reads how long something may take, up to `maxMs`. */
export function parseDuration(text: string, maxMs: number): number {
  const [, count = "", unit = ""] = /^(\d{1,6})([smhd])$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS_MS[unit] ?? Number.NaN);
  if (text !== "0" && !(ms <= maxMs))
    throw new InvalidArgumentError("Write a duration such as 30s, 15m, 2h, at most 7d, or 0.");
  return text === "0" ? 0 : ms;
}
