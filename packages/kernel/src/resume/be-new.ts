/** May something be new now? What is recorded comes first, and nothing follows what failed. */
import { trunk } from "./branch.ts";
import type { Frame } from "./frame.ts";
import type { RecordedTurn } from "./recorded-turn.ts";

interface Place {
  readonly recorded: RecordedTurn;
  readonly frame: Frame;
}

/**
 * Waits until everything that is recorded was made again: only then may something be new. Answers
 * false when nothing may, because what stands before it failed.
 */
export async function beNew({ recorded, frame: { branch } }: Place): Promise<boolean> {
  if (recorded.hasMore() || branch.isBehind()) await branch.hold();
  if (branch.isOver()) return false;
  // What is recorded beyond went on without it, while it stood in line.
  if (branch.isBehind() && recorded.hasMore()) return false;
  recorded.checkAllTaken();
  return true;
}

/**
 * True when what stands beside it went on without it, and ended what they are part of: then nothing
 * more is recorded of it, and nothing new follows.
 */
export async function wasLeftBehind({
  recorded,
  frame: { branch, call, item },
}: Place): Promise<boolean> {
  if (branch === trunk || recorded.hasMore(call, item) || !recorded.hasMore()) return false;
  await branch.hold();
  return recorded.hasMore();
}
