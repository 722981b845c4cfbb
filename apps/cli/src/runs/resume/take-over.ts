/** Takes a run from its holder: announced once, and after its running actions had their time. */
import { setTimeout as wait } from "node:timers/promises";
import type { RunClient } from "@turnseal/host";
import { GRACE_MS } from "@turnseal/kernel";
import type { LeaseHolder } from "@turnseal/ports";
import { renderNote, type Terminal } from "@turnseal/terminal";
import { describeHolder } from "@turnseal/terminal/runs";

/** To be called before the run is written to; the second time there is nothing to wait for. */
export function openTakeOver(
  run: string,
  holder: LeaseHolder,
  { host, terminal }: { readonly host: RunClient; readonly terminal: Terminal },
): () => Promise<void> {
  let isTold = false;
  return async () => {
    if (isTold) return;
    isTold = true;
    const message = `taking over from ${describeHolder(holder)}, after its open deadlines`;
    terminal.err.writeLine(renderNote(message));
    await waitForDeadlines(run, host);
  };
}

/** Until then the holder may still act, and record the result. */
async function waitForDeadlines(run: string, host: RunClient): Promise<void> {
  const open = (await host.show(run))?.openTurn?.open ?? [];
  const lastMs = open.reduce((last, claim) => Math.max(last, Date.parse(claim.deadlineAt)), 0);
  await wait(Math.max(0, lastMs === 0 ? 0 : lastMs + GRACE_MS - Date.now()));
}
