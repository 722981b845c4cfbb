/**
 * An engine that restarts takes no action away from a worker that is executing it.
 *
 * 1. A worker that loses its engine takes the lease of the run, starts nothing more, and records
 *    how the action ended.
 * 2. Other workers leave the run alone while that lease is held.
 * 3. A lease is no safety: who writes is decided by the epoch alone.
 */
import type { RunLease, RunLeases } from "@turnseal/ports";
import type { AdvanceOptions } from "../advance.ts";

export interface Outliving {
  /** For the step: `attempt` is aborted only where the worker may not keep the run. */
  readonly signals: Pick<AdvanceOptions, "attempt" | "leave">;
  /** Ends the watch, and gives the lease back. */
  readonly end: () => Promise<void>;
}

/** Watches the engine's attempt while a step of the run is taken. */
export function outliveEngine(
  run: string,
  leases: RunLeases | undefined,
  attempt: AbortSignal | undefined,
): Outliving {
  if (attempt === undefined || leases === undefined)
    return { signals: attempt === undefined ? {} : { attempt }, end: async () => {} };
  const [lost, leave] = [new AbortController(), new AbortController()];
  let taking: Promise<RunLease | undefined> = Promise.resolve(undefined);
  const onLost = (): void => {
    taking = takeLease(run, leases);
    void taking.then((lease) => (lease === undefined ? lost : leave).abort());
  };
  if (attempt.aborted) onLost();
  else attempt.addEventListener("abort", onLost, { once: true });
  return {
    signals: { attempt: lost.signal, leave: leave.signal },
    end: async () => {
      attempt.removeEventListener("abort", onLost);
      await (await taking)?.release();
    },
  };
}

/** Undefined if another worker has the lease, or the store is away. */
async function takeLease(run: string, leases: RunLeases): Promise<RunLease | undefined> {
  try {
    const answer = await leases.take(run);
    return answer.kind === "taken" ? answer.lease : undefined;
  } catch {
    return undefined;
  }
}
