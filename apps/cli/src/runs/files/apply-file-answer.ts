/** Has a run take in a person's answer about its files: here, or by its holder. */
import { randomUUID } from "node:crypto";
import { type FileAnswerEnd, findAnswerEnd, settleFiles } from "@turnseal/host";
import { type Roots, systemClock } from "@turnseal/ports";
import { line, shortId, toned } from "@turnseal/terminal";
import { EXIT_CODES, type ExitCode } from "../../exit-codes.ts";
import type { Surroundings } from "../../terminal/surroundings.ts";
import type { NamedRun } from "../../with-run.ts";

/** The answer of a person, and how to make the run read it. */
export interface GivenFileAnswer {
  readonly key: string;
  /** Where the log stood when they looked. */
  readonly at: number;
  readonly roots: Roots;
  /** Takes the run from its holder, before this is called. */
  readonly takeOver?: (() => Promise<void>) | undefined;
}

/** The result of the answer; `waiting` if the run's holder applies it. */
export async function applyFileAnswer(
  { known: { run }, folder }: NamedRun,
  { key, at, roots, takeOver }: GivenFileAnswer,
): Promise<FileAnswerEnd> {
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
    return await findAnswerEnd({ run, key, at }, folder.stores);
  } finally {
    await answer.lease.release();
  }
}

export function reportLater(run: string, { terminal: { out } }: Surroundings): ExitCode {
  const words = "the process that carries the run does it between two turns";
  out.writeLine(line(toned("good", "✓ "), `saved for the run  ${shortId(run)}: ${words}`));
  return EXIT_CODES.done;
}
