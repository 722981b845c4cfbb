/** Decides whether a new event may follow. Recorded ones come first, and none follows a failure. */
import { trunk } from "./branch.ts";
import type { Frame } from "./frame.ts";
import type { RecordedTurn } from "./recorded-turn.ts";

interface Place {
  readonly recorded: RecordedTurn;
  readonly frame: Frame;
}

/**
 * Waits until everything recorded was repeated: only then may something be new. Returns false when
 * an earlier part has failed.
 */
export async function awaitReplay({ recorded, frame: { branch } }: Place): Promise<boolean> {
  if (recorded.hasMore() || branch.isBehind()) await branch.hold();
  if (branch.isOver()) return false;
  // The rest of the record went on without it, while it stood in line.
  if (branch.isBehind() && recorded.hasMore()) return false;
  recorded.checkAllTaken();
  return true;
}

/**
 * True when the parts beside it went on without it, and ended the whole: then it has no further
 * record, and nothing new follows.
 */
export async function wasLeftBehind({
  recorded,
  frame: { branch, call, item },
}: Place): Promise<boolean> {
  if (branch === trunk || recorded.hasMore(call, item) || !recorded.hasMore()) return false;
  await branch.hold();
  return recorded.hasMore();
}
