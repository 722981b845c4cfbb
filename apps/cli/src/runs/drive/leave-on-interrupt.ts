/**
 * Ctrl-C leaves a run as it is, to be resumed: it cancels nothing, and no new action begins. A
 * running action gets a moment to end, so that it does not become unknown.
 */

import {
  line,
  renderNext,
  renderNote,
  shortId,
  type Terminal,
  toned,
  writeJson,
} from "@turnseal/terminal";
import { EXIT_CODES, type ExitCode } from "../../exit-codes.ts";

/** How long what acts is waited for. */
const LET_END_MS = 5_000;

export interface Interrupt {
  /** Aborted by Ctrl-C: no new action begins, and running ones may end. */
  readonly leave: AbortSignal;
  /** Aborted when the run is left: from then on nothing of it is written here. */
  readonly attempt: AbortSignal;
  /** Resolves when what acts has not ended in time. */
  readonly left: Promise<"left">;
  release(): void;
}

/** The first Ctrl-C leaves the run; a second one ends the process at once. */
export function leaveOnInterrupt({ err }: Terminal): Interrupt {
  const [leave, attempt] = [new AbortController(), new AbortController()];
  const { promise: left, resolve } = Promise.withResolvers<"left">();
  let timer: NodeJS.Timeout | undefined;
  const giveUp = (): void => {
    attempt.abort();
    resolve("left");
  };
  const onInterrupt = (): void => {
    const note = "interrupting: what is being done may end first; press Ctrl-C again to leave now";
    err.writeLine(renderNote(note));
    timer = setTimeout(giveUp, LET_END_MS);
    leave.abort();
  };
  process.once("SIGINT", onInterrupt);
  return {
    leave: leave.signal,
    attempt: attempt.signal,
    left,
    release: () => {
      process.off("SIGINT", onInterrupt);
      clearTimeout(timer);
      attempt.abort();
    },
  };
}

/** Says that the run was left, and how to go on with it. */
export function reportInterrupted(
  run: string,
  { json, terminal: { out } }: { readonly json?: boolean; readonly terminal: Terminal },
): ExitCode {
  if (json === true) {
    writeJson(out, { type: "interrupted", run });
    return EXIT_CODES.interrupted;
  }
  out.writeLine(line(toned("warning", "interrupted"), `  ${run}`));
  const next = `turnseal resume ${shortId(run)}  (continues the run)`;
  out.writeLine(renderNext(next));
  out.writeLine(line("  ", toned("faint", "  or: "), `turnseal cancel ${shortId(run)}  (ends it)`));
  return EXIT_CODES.interrupted;
}
