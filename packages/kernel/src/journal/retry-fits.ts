/** Whether the budget has room for a retry: one that does not fit is not made. */
import type { Outcome } from "../outcome.ts";
import type { Answer } from "../step/action.ts";
import type { Step } from "../step/step.ts";
import { findRoom } from "./find-room.ts";
import { listBeside } from "./wait-for-place.ts";

/**
 * True when a request that failed may be made again. The failure stands otherwise: it was the
 * provider's, and no budget ended the call. What is recorded decides for a resume.
 */
export function retryFits(step: Step, failed: Outcome<Answer>): boolean {
  const { action, recorded, frame } = step;
  if (action.kind !== "model" || failed.kind !== "error") return true;
  if (recorded.hasMore(frame.call)) return !recorded.isFailed(frame.call, failed.error.code);
  // What acts beside it may give room back when it is settled.
  return listBeside(step).size > 0 || findRoom(step).excess === undefined;
}
