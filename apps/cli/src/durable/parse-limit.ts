import { InvalidArgumentError } from "commander";

/** The largest share of a tenant, as the database has it. */
const WEIGHT_MAX = 1_000;
/** A trillion: a limit beyond it is a slip. */
const LIMIT_MAX = 10 ** 12;

/** Reads a share. */
export function parseWeight(text: string): number {
  return readWhole(text, WEIGHT_MAX);
}

/** Reads a limit, or that there is none any more. */
export function parseLimit(text: string): number | "none" {
  return text === "none" ? text : readWhole(text, LIMIT_MAX, ", or none");
}

/** Nine billion: what is kept are millionths, as whole numbers. */
const MONEY_MAX = Math.floor(Number.MAX_SAFE_INTEGER / 1_000_000);

/** Reads a limit of money, or that there is none any more. */
export function parseMoney(text: string): number | "none" {
  return text === "none" ? text : readWhole(text, MONEY_MAX, ", or none");
}

/** Less is taken by work that is well. */
const STALL_MS_MIN = 1_000;

/** Reads how long an event loop may stand still, or that it is not watched. */
export function parseStall(text: string): number | "none" {
  const ms = parseLimit(text);
  if (ms === "none" || ms >= STALL_MS_MIN) return ms;
  throw new InvalidArgumentError(`Write at least ${STALL_MS_MIN}, or none.`);
}

function readWhole(text: string, max: number, or = ""): number {
  const value = /^\d+$/.test(text) ? Number(text) : 0;
  if (value >= 1 && value <= max) return value;
  throw new InvalidArgumentError(`Write a whole number from 1 to ${max}${or}.`);
}
