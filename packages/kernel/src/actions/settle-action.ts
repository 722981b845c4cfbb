import type { Frame } from "../frame.ts";
import { type Failed, fail } from "../outcome.ts";
import type { BoundedOutcome } from "./run-bounded.ts";

type Unfinished = Exclude<BoundedOutcome<unknown>, { readonly kind: "done" }>;

interface EndedAction {
  readonly action: "model" | "tool";
  readonly name: string;
  readonly claimedMs: number;
}

/**
 * Records that an action did not succeed. The words of whoever failed go to the caller and, apart
 * from the event, to the log.
 */
export function settleAction(
  unfinished: Unfinished,
  { action, name, claimedMs }: EndedAction,
  frame: Frame,
): Failed {
  const reason = unfinished.kind === "failed" ? readReason(unfinished.error) : undefined;
  frame.recordSince(claimedMs, (durationMs) => ({
    type: "action.settled",
    content: { action, status: "failed", durationMs },
    ...(reason === undefined ? {} : { attached: { reason } }),
  }));
  switch (unfinished.kind) {
    case "timed-out":
      return fail("TIMEOUT", `${name} did not answer before its deadline`);
    case "cancelled":
      return fail("CANCELLED", "the call was cancelled");
    case "failed": {
      const failed = fail(action === "tool" ? "TOOL_FAILED" : "BACKEND_FAILED", `${name} failed`);
      return reason === undefined ? failed : { ...failed, reason };
    }
  }
}

/** The longest reason that is kept. */
export const REASON_LENGTH_MAX = 2_000;

function readReason(error: unknown): string | undefined {
  try {
    const text = error instanceof Error ? error.message : String(error);
    return typeof text === "string" ? text.slice(0, REASON_LENGTH_MAX).toWellFormed() : undefined;
  } catch {
    // A hostile error may throw when it is read.
    return undefined;
  }
}
