import { InvalidArgumentError } from "commander";

/** The largest number that a command line may ask for. */
const COUNT_MAX = 1_000_000;

/** Reads a number of at least one. */
export function parseCount(text: string): number {
  const count = Number(text);
  if (Number.isSafeInteger(count) && count >= 1 && count <= COUNT_MAX) return count;
  throw new InvalidArgumentError(`Write a number from 1 to ${COUNT_MAX}.`);
}
