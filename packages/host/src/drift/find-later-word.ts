/** What was said of files after a person had looked at them: what they were shown is the past. */
import { READ_EVENTS_MAX, type Stores } from "@turnseal/ports";
import type { LoopEvent } from "@turnseal/protocol";

export interface LookedAt {
  readonly run: string;
  readonly root: string;
  /** Where the log stood when the person looked, and where it stands. */
  readonly at: number;
  readonly until: number;
}

/**
 * True where the log has a later word on files of the root, or has not come so far: a word is meant
 * once, by whoever said it, of what they saw.
 */
export async function hasLaterWord(
  { run, root, at, until }: LookedAt,
  { log }: Pick<Stores, "log">,
): Promise<boolean> {
  if (at > until) return true;
  for (let from = at + 1; from <= until; from += READ_EVENTS_MAX) {
    const events = await log.read(run, from, Math.min(READ_EVENTS_MAX, until - from + 1));
    if (events.some((event) => isWordOn(root, event))) return true;
  }
  return false;
}

function isWordOn(root: string, { type, content }: LoopEvent): boolean {
  if (type === "drift.reconciled") return content.root === root;
  return type === "artifact.adopted" && content.artifacts.root === root;
}
