import { INBOX_POLL_MS } from "@turnseal/kernel";
import { type Advanced, type AdvanceOptions, advance, type HostPorts } from "../advance.ts";

/** Carries a run until it stops or only a person can help; waits for times in between. */
export async function driveRun(
  run: string,
  ports: HostPorts,
  options?: AdvanceOptions,
): Promise<Advanced> {
  for (;;) {
    const advanced = await advance(run, ports, options);
    const { dues } = advanced;
    if (dues.kind === "wake") await waitForDue(run, dues.atMs, ports);
    else if (dues.kind !== "continue") return advanced;
  }
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
