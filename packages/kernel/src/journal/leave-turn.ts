import { LogError } from "../log/log-error.ts";
import type { Step, StepControl } from "../step/step.ts";

/**
 * Ends an attempt that leaves its turn for a resume. It waits for acting tools and records their
 * results, which would otherwise be unknown. A model is simply asked again, so it does not wait
 * there.
 */
export async function leaveTurn({
  inFlight,
  appender,
}: Pick<Step, "inFlight" | "appender">): Promise<never> {
  for (;;) {
    const acting = [...inFlight].filter(([, { effect }]) => effect !== "repeatable");
    if (acting.length === 0) break;
    await Promise.race(acting.map(([settled]) => settled));
  }
  await appender.flush();
  throw new LogError("LOG_FENCED", "this attempt has left the turn");
}

/** Waits for work in the turn, or leaves the turn before it has ended. */
export async function untilLeft<Value>(
  doing: Promise<Value>,
  step: Pick<Step, "inFlight" | "appender"> & { readonly control: Pick<StepControl, "leave"> },
): Promise<Value> {
  const { leave } = step.control;
  if (leave === undefined) return doing;
  const { promise: left, reject } = Promise.withResolvers<never>();
  const onLeave = (): void => void leaveTurn(step).catch(reject);
  if (leave.aborted) onLeave();
  else leave.addEventListener("abort", onLeave, { once: true });
  try {
    return await Promise.race([doing, left]);
  } finally {
    leave.removeEventListener("abort", onLeave);
  }
}
