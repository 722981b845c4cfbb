/**
 * Runs one effect with a deadline and a way to be cancelled.
 *
 * Runs an action up to its deadline. It may ignore its signal, so a later answer is ignored.
 */
import type { Clock } from "@turnseal/ports";

export interface Bounds {
  readonly clock: Clock;
  /** An answer after the deadline is ignored, unless it resolves an effect. */
  readonly keepsLateAnswers?: boolean;
  readonly deadlineAt: number;
  /** The caller's wish to stop. */
  readonly signal: AbortSignal | undefined;
}

export type BoundedOutcome<Value> =
  | { readonly kind: "done"; readonly value: Value }
  | { readonly kind: "failed"; readonly error: unknown }
  | { readonly kind: "timed-out" }
  | { readonly kind: "cancelled" };

/** Acts, and answers with the first of: done, failed, deadline passed, cancelled. */
export function runBounded<Value>(
  { clock, deadlineAt, signal, keepsLateAnswers = false }: Bounds,
  act: (signal: AbortSignal) => Value | Promise<Value>,
): Promise<BoundedOutcome<Value>> {
  const remainingMs = deadlineAt - clock.now();
  if (signal?.aborted) return Promise.resolve({ kind: "cancelled" });
  if (remainingMs <= 0) return Promise.resolve({ kind: "timed-out" });
  const controller = new AbortController();
  return new Promise((resolve) => {
    const settle = (outcome: BoundedOutcome<Value>): void => {
      cancelTimer();
      signal?.removeEventListener("abort", onAbort);
      resolve(outcome);
    };
    const stop = (kind: "timed-out" | "cancelled"): void => {
      settle({ kind });
      controller.abort();
    };
    // An act that never yields answers before the timer can fire.
    const settleInTime = (outcome: BoundedOutcome<Value>): void =>
      settle(!keepsLateAnswers && clock.now() >= deadlineAt ? { kind: "timed-out" } : outcome);
    const onAbort = (): void => stop("cancelled");
    const cancelTimer = clock.after(remainingMs, () => stop("timed-out"));
    signal?.addEventListener("abort", onAbort, { once: true });
    void attempt(act, controller.signal).then(settleInTime);
  });
}

/** Never rejects: an act that throws at once fails like one that rejects later. */
async function attempt<Value>(
  act: (signal: AbortSignal) => Value | Promise<Value>,
  signal: AbortSignal,
): Promise<BoundedOutcome<Value>> {
  try {
    return { kind: "done", value: await act(signal) };
  } catch (error) {
    return { kind: "failed", error };
  }
}
