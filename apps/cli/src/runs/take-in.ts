/** Has a run take in what a person said of its files: here, or by whoever carries it. */
import { randomUUID } from "node:crypto";
import { settleFiles } from "@turnseal/host";
import { type Roots, systemClock } from "@turnseal/ports";
import { takeLease } from "@turnseal/runtime/folder";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { line, toned } from "../terminal/line.ts";
import { shortId } from "../terminal/short-id.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import type { NamedRun } from "../with-run.ts";

/** True where the run has taken it in; false where whoever carries it does. */
export async function takeIn({ known: { run }, folder }: NamedRun, roots: Roots): Promise<boolean> {
  if (folder.engine !== undefined) {
    await folder.engine.look(run);
    return false;
  }
  const answer = await takeLease(folder.path, run);
  if (answer.kind === "held") return false;
  try {
    const ids = { create: () => randomUUID() };
    await settleFiles(run, { stores: folder.stores, clock: systemClock, ids, roots });
    return true;
  } finally {
    await answer.lease.release();
  }
}

export function reportLater(run: string, { terminal: { out } }: Surroundings): ExitCode {
  const words = "the process that carries the run does it between two turns";
  out.writeLine(line(toned("good", "✓ "), `saved for the run  ${shortId(run)}: ${words}`));
  return EXIT_CODES.done;
}
