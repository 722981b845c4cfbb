import { LogError } from "../log/log-error.ts";
import type { Step } from "../step/step.ts";

/**
 * Ends an attempt that leaves its turn to be gone on with: what acts is waited for and written
 * down, since nobody could tell what became of it. A model is simply asked again, so nothing is
 * waited for there.
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

/** What a place of the turn does, unless the turn is left before it has ended. */
export async function untilLeft<Value>(
  doing: Promise<Value>,
  step: Pick<Step, "inFlight" | "appender" | "leave">,
): Promise<Value> {
  const { leave } = step;
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
