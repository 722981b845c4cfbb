/** Takes a run from whoever holds it: said once, and after what it was doing has had its time. */
import { setTimeout as wait } from "node:timers/promises";
import type { RunClient } from "@turnseal/host";
import { GRACE_MS } from "@turnseal/kernel";
import type { LeaseHolder } from "@turnseal/ports";
import { line, toned } from "../terminal/line.ts";
import type { Terminal } from "../terminal/screen.ts";
import { describeHolder } from "./render-holder.ts";

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
    terminal.err.writeLine(line(toned("warning", "note: "), message));
    await waitForDeadlines(run, host);
  };
}

/** Until then whoever holds the run may still act, and may still write down what came of it. */
async function waitForDeadlines(run: string, host: RunClient): Promise<void> {
  const open = (await host.show(run))?.openTurn?.open ?? [];
  const lastMs = open.reduce((last, claim) => Math.max(last, Date.parse(claim.deadlineAt)), 0);
  await wait(Math.max(0, lastMs === 0 ? 0 : lastMs + GRACE_MS - Date.now()));
}
