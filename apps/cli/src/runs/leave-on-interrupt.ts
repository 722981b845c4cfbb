/**
 * Ctrl-C leaves a run as it is, to be resumed: nothing is cancelled. What is being done is given a
 * moment to end, so that nobody has to be asked what became of it.
 */
import { setTimeout as wait } from "node:timers/promises";
import type { RunClient } from "@turnseal/host";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { line, toned } from "../terminal/line.ts";
import { renderJson } from "../terminal/sanitize-text.ts";
import type { Terminal } from "../terminal/screen.ts";
import { shortId } from "../terminal/short-id.ts";

/** How long an action in flight is waited for, and how often it is looked at. */
const LET_END_MS = 5_000;
const LOOK_MS = 50;

export interface Interrupt {
  /** Aborted when the run is left: from then on nothing of it is written here. */
  readonly attempt: AbortSignal;
  /** Resolves when the run is left. */
  readonly left: Promise<"left">;
  release(): void;
}

/** The first Ctrl-C leaves the run; a second one ends the process at once. */
export function leaveOnInterrupt(
  run: string,
  host: Pick<RunClient, "show">,
  { err }: Terminal,
): Interrupt {
  const attempt = new AbortController();
  const { promise: left, resolve } = Promise.withResolvers<"left">();
  const onInterrupt = (): void => {
    const note = "interrupting: what is being done may end first; press Ctrl-C again to leave now";
    err.writeLine(line(toned("warning", "note: "), note));
    void letActionsEnd(run, host).then(() => {
      attempt.abort();
      resolve("left");
    });
  };
  process.once("SIGINT", onInterrupt);
  return { attempt: attempt.signal, left, release: () => process.off("SIGINT", onInterrupt) };
}

async function letActionsEnd(run: string, host: Pick<RunClient, "show">): Promise<void> {
  const endMs = Date.now() + LET_END_MS;
  while (Date.now() < endMs) {
    const projection = await host.show(run).catch(() => undefined);
    const open = projection?.openTurn?.open ?? [];
    // A run that was handed to goes on by itself, and a model is asked again.
    if (open.every(({ handoff, effect }) => handoff !== null || effect === "repeatable")) return;
    await wait(LOOK_MS);
  }
}

/** Says that the run was left, and how to go on with it. */
export function reportInterrupted(
  run: string,
  { json, terminal: { out } }: { readonly json?: boolean; readonly terminal: Terminal },
): ExitCode {
  if (json === true) {
    out.writeText(`${renderJson({ type: "interrupted", run })}\n`);
    return EXIT_CODES.interrupted;
  }
  out.writeLine(line(toned("warning", "interrupted"), `  ${run}`));
  const next = `turnseal resume ${shortId(run)}  (continues the run)`;
  out.writeLine(line("  ", toned("faint", "next: "), next));
  out.writeLine(line("  ", toned("faint", "  or: "), `turnseal cancel ${shortId(run)}  (ends it)`));
  return EXIT_CODES.interrupted;
}
