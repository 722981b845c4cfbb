import type { Acting, Step, StepControl } from "../step/step.ts";

/** Lists the other actions in flight. A repeated call does not wait for itself. */
export function listBeside({
  inFlight,
  own,
}: Pick<Step, "inFlight" | "own">): ReadonlyMap<Promise<void>, Acting> {
  return new Map([...inFlight].filter(([settled]) => settled !== own));
}

/** Waits until one of these is settled, or the call is cancelled or its turn left. */
export async function waitForPlace(
  { control: { signal, leave } }: { readonly control: Pick<StepControl, "signal" | "leave"> },
  beside: Iterable<Promise<void>>,
): Promise<void> {
  const { promise: ended, resolve } = Promise.withResolvers<void>();
  const end = (): void => resolve();
  const signals = [signal, leave].filter((each) => each !== undefined);
  // A signal that was aborted before fires no event: work that goes on all the same waits for the
  // rest.
  for (const each of signals) each.addEventListener("abort", end, { once: true });
  await Promise.race([...beside, ended]);
  for (const each of signals) each.removeEventListener("abort", end);
}
