/** True when the budget has room for a retry: one that does not fit is not made. */
import type { Outcome } from "../outcome.ts";
import type { Answer } from "../step/action.ts";
import type { Step } from "../step/step.ts";
import { findRoom } from "./find-room.ts";
import { listBeside } from "./wait-for-place.ts";

/**
 * True when a failed request may be repeated. Otherwise the failure stands: it was the provider's,
 * and no budget ended the call. On a resume the record decides.
 */
export function hasRoomForRetry(step: Step, failed: Outcome<Answer>): boolean {
  const { action, recorded, frame } = step;
  if (action.kind !== "model" || failed.kind !== "error") return true;
  if (recorded.hasMore(frame.call)) return !recorded.isFailed(frame.call, failed.error.code);
  // An action beside it may free room when it is settled.
  return listBeside(step).size > 0 || findRoom(step).excess === undefined;
}
