import { INBOX_POLL_MS } from "@turnseal/kernel";
import { type Advanced, type AdvanceOptions, advance } from "../advance.ts";
import type { HostPorts } from "../carrier.ts";
import { deliver, listHandoffs } from "../deliver.ts";

/** Carries a run one step forward, and delivers what it owes to others. */
export async function stepRun(
  run: string,
  ports: HostPorts,
  options?: AdvanceOptions,
): Promise<Advanced> {
  const advanced = await advance(run, ports, options);
  if ("projection" in advanced) await deliver(advanced.projection, ports);
  return advanced;
}

/**
 * Carries a run, and those that it hands to, until it stops or only a person can help; waits for
 * times in between.
 */
export async function driveRun(
  run: string,
  ports: HostPorts,
  options?: AdvanceOptions,
): Promise<Advanced> {
  for (;;) {
    const advanced = await stepRun(run, ports, options);
    const { dues } = advanced;
    if (await driveHandoffs(advanced, ports)) continue;
    if (dues.kind === "wake") await waitForDue(run, dues.atMs, ports);
    else if (dues.kind !== "continue") return advanced;
  }
}

/** Drives every run that was handed to; true when one of them has ended. */
async function driveHandoffs(advanced: Advanced, ports: HostPorts): Promise<boolean> {
  if (!("projection" in advanced)) return false;
  let hasEnded = false;
  for (const { child } of listHandoffs(advanced.projection)) {
    const { dues } = await driveRun(child, ports);
    hasEnded ||= dues.kind === "done";
  }
  return hasEnded;
}

/** Waits for the time, or for something in the inbox: a cancel does not wait for a deadline. */
async function waitForDue(run: string, atMs: number, { clock, stores }: HostPorts): Promise<void> {
  for (;;) {
    const leftMs = atMs - clock.now();
    if (leftMs <= 0) return;
    await new Promise<void>((resume) => {
      clock.after(Math.min(leftMs, INBOX_POLL_MS), resume);
    });
    if ((await stores.inbox.peek(run)).length > 0) return;
  }
}
