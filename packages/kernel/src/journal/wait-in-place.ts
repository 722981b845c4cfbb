import type { Step } from "../step/step.ts";

/** Waits while the turn stays in hand: everything is durable before, and a cancel ends it. */
export async function waitInPlace(
  { clock, appender, signal, watch }: Pick<Step, "clock" | "appender" | "signal" | "watch">,
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
