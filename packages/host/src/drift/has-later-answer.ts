/**
 * Finds answers about files that came after a person looked, and whose view is then out of date.
 */
import { READ_EVENTS_MAX, type Stores } from "@turnseal/ports";
import type { LoopEvent } from "@turnseal/protocol";

export interface AnswerPlace {
  readonly run: string;
  readonly root: string;
  /** Where the log stood when the person looked, and where it stands. */
  readonly at: number;
  readonly until: number;
}

/**
 * True if the log has a later answer about files of the root, or has not come so far. An answer
 * applies once, to the version that its person saw.
 */
export async function hasLaterAnswer(
  { run, root, at, until }: AnswerPlace,
  { log }: Pick<Stores, "log">,
): Promise<boolean> {
  if (at > until) return true;
  for (let from = at + 1; from <= until; from += READ_EVENTS_MAX) {
    const events = await log.read(run, from, Math.min(READ_EVENTS_MAX, until - from + 1));
    if (events.some((event) => isAnswerOn(root, event))) return true;
  }
  return false;
}

function isAnswerOn(root: string, { type, content }: LoopEvent): boolean {
  if (type === "drift.reconciled") return content.root === root;
  return type === "artifact.adopted" && content.artifacts.root === root;
}
