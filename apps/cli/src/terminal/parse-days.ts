import { InvalidArgumentError } from "commander";

const DAY_MS = 86_400_000;

/** Reads a number of whole days, as milliseconds. */
export function parseDays(text: string): number {
  const [, count] = /^(\d{1,5})d$/.exec(text) ?? [];
  if (count === undefined) throw new InvalidArgumentError("Write a number of days such as 90d.");
  return Number(count) * DAY_MS;
}
