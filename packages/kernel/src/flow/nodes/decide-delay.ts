import { canonicalize, sha256Hex } from "@turnseal/protocol";
import type { CheckedRetry } from "../../definition/flow/checked-node.ts";

/** The try that is waited for: 2 is the first again. */
interface NextTry {
  readonly call: string;
  readonly path: string;
  readonly attempt: number;
}

/** How long to wait before a try: the same in every attempt at the turn. */
export function decideDelay(retry: CheckedRetry, next: NextTry): number {
  const delayMs = plainDelay(retry, next.attempt);
  if (!retry.hasJitter) return delayMs;
  return delayMs - Math.floor((delayMs / 2) * shareOf(next));
}

function plainDelay({ strategy, delayMs, capMs }: CheckedRetry, attempt: number): number {
  switch (strategy) {
    case "immediate":
      return 0;
    case "fixed":
      return delayMs;
    case "exponential":
      return Math.min(capMs, delayMs * 2 ** (attempt - 2));
  }
}

/** From 0 to below 1: nodes that failed at the same time do not come again at the same time. */
function shareOf({ call, path, attempt }: NextTry): number {
  const digits = 8;
  const hex = sha256Hex(canonicalize([call, path, attempt])).slice(0, digits);
  return Number.parseInt(hex, 16) / 16 ** digits;
}
