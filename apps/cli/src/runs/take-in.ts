/** Has a run take in what a person said of its files: here, or by whoever carries it. */
import { randomUUID } from "node:crypto";
import { type FileWordEnd, findWordEnd, settleFiles } from "@turnseal/host";
import { type Roots, systemClock } from "@turnseal/ports";
import { EXIT_CODES, type ExitCode } from "../exit-codes.ts";
import { line, toned } from "../terminal/line.ts";
import { shortId } from "../terminal/short-id.ts";
import type { Surroundings } from "../terminal/surroundings.ts";
import type { NamedRun } from "../with-run.ts";

/** What a person said, and how the run may be made to listen. */
export interface WordToTake {
  readonly key: string;
  /** Where the log stood when they looked. */
  readonly at: number;
  readonly roots: Roots;
  /** Set where the run is taken from whoever holds it: called before. */
  readonly takeOver?: (() => Promise<void>) | undefined;
}

/** What became of the word; `waiting` where whoever carries the run does it. */
export async function takeIn(
  { known: { run }, folder }: NamedRun,
  { key, at, roots, takeOver }: WordToTake,
): Promise<FileWordEnd> {
  if (folder.engine !== undefined) {
    await folder.engine.look(run);
    return { kind: "waiting" };
  }
  await takeOver?.();
  const answer = await folder.stores.leases.take(run, { force: takeOver !== undefined });
  if (answer.kind === "held") return { kind: "waiting" };
  try {
    const ids = { create: () => randomUUID() };
    await settleFiles(run, { stores: folder.stores, clock: systemClock, ids, roots });
    return await findWordEnd({ run, key, at }, folder.stores);
  } finally {
    await answer.lease.release();
  }
}

export function reportLater(run: string, { terminal: { out } }: Surroundings): ExitCode {
  const words = "the process that carries the run does it between two turns";
  out.writeLine(line(toned("good", "✓ "), `saved for the run  ${shortId(run)}: ${words}`));
  return EXIT_CODES.done;
}
