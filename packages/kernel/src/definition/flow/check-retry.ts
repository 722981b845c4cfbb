/** How often a node is tried again. */
import type { CallErrorCode, RetrySpec } from "@turnseal/protocol";
import {
  NODE_TRIES_MAX,
  RETRY_CAP_MS_DEFAULT,
  RETRY_WAIT_MS_DEFAULT,
  RETRY_WAIT_MS_MAX,
} from "../../limits.ts";
import type { Report } from "../report.ts";
import { checkLimit } from "./check-limit.ts";
import type { CheckedRetry } from "./checked-node.ts";

/** Codes that are worth another try, where a node does not say. */
const RETRIED_DEFAULT: readonly CallErrorCode[] = [
  "TOOL_FAILED",
  "BACKEND_FAILED",
  "CHILD_FAILED",
  "TIMEOUT",
];
/** Tries in all, the first among them, where a node does not say. */
export const TRIES_DEFAULT = { immediate: 3, fixed: 3, exponential: 5 } as const;

/** Fills in what a retry leaves out. */
export function checkRetry(retry: RetrySpec, path: string, report: Report): CheckedRetry {
  const { strategy, max = TRIES_DEFAULT[strategy], delayMs, capMs, jitter } = retry;
  checkLimit(max, { most: NODE_TRIES_MAX, path: `${path}/max`, report });
  checkLimit(delayMs, { most: RETRY_WAIT_MS_MAX, path: `${path}/delayMs`, report });
  checkLimit(capMs, { most: RETRY_WAIT_MS_MAX, path: `${path}/capMs`, report });
  if (strategy === "exponential" && delayMs !== undefined && delayMs > (capMs ?? Infinity))
    report.refuse({
      rule: "flow-unfit",
      path: `${path}/delayMs`,
      message: `the first delay, ${delayMs}, is longer than the longest, ${capMs}`,
      mend: "raise `capMs`, or write a shorter `delayMs`",
    });
  if (strategy === "immediate" && (delayMs ?? capMs ?? jitter) !== undefined)
    report.warn({
      rule: "flow-unfit",
      path,
      message: "who tries again immediately waits for nothing",
      mend: "remove `delayMs`, `capMs` and `jitter`, or write `fixed` or `exponential`",
    });
  return {
    strategy,
    max,
    delayMs: strategy === "immediate" ? 0 : (delayMs ?? RETRY_WAIT_MS_DEFAULT),
    capMs: Math.max(capMs ?? RETRY_CAP_MS_DEFAULT, capMs === undefined ? (delayMs ?? 0) : 0),
    hasJitter: jitter ?? false,
    on: new Set(retry.on ?? RETRIED_DEFAULT),
  };
}
