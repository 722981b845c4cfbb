import type { Step, StepControl } from "../step/step.ts";

type WaitingStep = Pick<Step, "clock" | "appender"> & {
  readonly control: Pick<StepControl, "signal" | "watch">;
};

/** Waits while the turn stays in hand: everything is durable before, and a cancel ends it. */
export async function waitInPlace(
  { clock, appender, control: { signal, watch } }: WaitingStep,
  delayMs: number,
): Promise<void> {
  await appender.flush();
  const delay = new Promise<void>((resume) => {
    const end = (): void => {
      stop();
      signal.removeEventListener("abort", end);
      resume();
    };
    const stop = clock.after(delayMs, end);
    signal.addEventListener("abort", end, { once: true });
  });
  await watch(delay);
}
