/**
 * A result that is at hand is not thrown away because the store is away for a moment: it is kept
 * and stored again, until the claim's deadline. Otherwise the action would be repeated, or a person
 * would be asked what became of it.
 *
 * Other workers are not blocked: a successor has another epoch, and the late append is refused.
 */
import type { Clock } from "@turnseal/ports";
import { isLoopError, type LoopEvent } from "@turnseal/protocol";
import { LOG_WAIT_MS_MAX } from "../limits.ts";
import type { Batch } from "./write-batch.ts";

/** The first pause before a result is stored again; each is twice as long as the one before. */
const KEEP_PAUSE_MS = 100;
/** The longest pause. */
const KEEP_PAUSE_MS_MAX = 2_000;
/** A result is kept for so long at least, however late it came. */
export const KEEP_MS_MIN = 10_000;

/** Until when the results among these events are kept; undefined where there are none. */
export function findKeptUntil(
  written: readonly LoopEvent[],
  known: readonly LoopEvent[],
  nowMs: number,
): number | undefined {
  let untilMs: number | undefined;
  for (const settled of written) {
    if (settled.type !== "action.settled") continue;
    const claimed = known.find(({ sequence }) => sequence === settled.content.claim);
    const deadlineMs =
      claimed?.type === "action.claimed" ? Date.parse(claimed.content.deadlineAt) : 0;
    untilMs = Math.max(untilMs ?? nowMs + KEEP_MS_MIN, deadlineMs);
  }
  return untilMs;
}

export interface CutBatch {
  readonly batch: Batch;
  /** From then on what was claimed after it would begin late. */
  readonly lateMs: number;
}

/**
 * Cuts a batch after its last result, where it claims an action after that. With the claim it would
 * be stored so late that the action had no time left, or that its approval had expired. Undefined
 * where it has no result, or has parts that cannot wait: others act beside it.
 */
export function cutAtResult(batch: Batch, known: readonly LoopEvent[]): CutBatch | undefined {
  const { after, blobs, events, consumed, receipt } = batch;
  const end = events.findLastIndex(({ type }) => type === "action.settled") + 1;
  const claim = events.slice(end).find(isActing);
  if (end === 0 || claim === undefined || consumed.length > 0 || receipt !== undefined)
    return undefined;
  const before = known.filter((event) => isActing(event) && event.sequence < claim.sequence);
  const ended = known.map((event) => ("claim" in event.content ? event.content.claim : undefined));
  if (before.some(({ sequence }) => !ended.includes(sequence))) return undefined;
  const cut = { after, blobs, consumed: [], events: events.slice(0, end) };
  return { batch: cut, lateMs: Date.parse(claim.at) + LOG_WAIT_MS_MAX };
}

/** True for the claim of what this worker does itself. */
function isActing(event: LoopEvent): boolean {
  return event.type === "action.claimed" && event.content.action !== "handoff";
}

/** Stores, and again while the store is away, as long as the pauses end before that time. */
export async function storeAgain<Value>(
  store: () => Promise<Value>,
  { clock, untilMs }: { readonly clock: Clock; readonly untilMs: number },
): Promise<Value> {
  for (let pauseMs = KEEP_PAUSE_MS; ; pauseMs = Math.min(2 * pauseMs, KEEP_PAUSE_MS_MAX)) {
    try {
      return await store();
    } catch (error) {
      const mayPass = isLoopError(error) && error.retry !== "never";
      if (!mayPass || clock.now() + pauseMs >= untilMs) throw error;
    }
    await new Promise<void>((resume) => {
      clock.after(pauseMs, resume);
    });
  }
}
