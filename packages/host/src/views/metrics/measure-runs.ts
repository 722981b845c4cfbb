/**
 * What can be counted of runs, as a fold of their events. Every word is of a closed set: nothing
 * that an author or a model can choose is counted by.
 */
import { isVendorEvent, type LoopEvent, unreachable } from "@turnseal/protocol";

/** Who counts. */
export interface RunMeter {
  /** Without seconds where they say nothing of us: it waited, or somebody else began it. */
  onTurn(outcome: string, seconds: number | undefined): void;
  onStop(reason: string): void;
  onAction(action: string, status: string, seconds: number): void;
  onUnknown(action: string): void;
}

/** Turns whose begin is remembered; one that waits for weeks is not. */
export const OPEN_TURNS_MAX = 10_000;

/** Tells the meter of every event that counts. */
export function measureRuns(meter: RunMeter): (event: LoopEvent) => void {
  const begun = new Map<string, number>();
  const forget = ({ run, turn }: Pick<LoopEvent, "run" | "turn">): number | undefined => {
    const sinceMs = begun.get(`${run}/${turn}`);
    begun.delete(`${run}/${turn}`);
    return sinceMs;
  };
  return (event) => {
    switch (event.type) {
      case "turn.started":
        if (begun.size < OPEN_TURNS_MAX)
          begun.set(`${event.run}/${event.turn}`, Date.parse(event.at));
        return;
      case "turn.denied":
      case "turn.resumed":
      case "turn.waiting":
        forget(event);
        return;
      case "turn.closed": {
        const sinceMs = forget(event);
        const tookMs = sinceMs === undefined ? undefined : Date.parse(event.at) - sinceMs;
        meter.onTurn(event.content.outcome, tookMs === undefined ? undefined : tookMs / 1_000);
        return;
      }
      case "run.stopped":
        meter.onStop(event.content.reason);
        return;
      case "action.unknown":
        meter.onUnknown(event.content.action);
        return;
      case "action.settled": {
        const { action, status, durationMs } = event.content;
        meter.onAction(action, status, durationMs / 1_000);
        return;
      }
      case "run.started":
      case "run.decided":
      case "run.blocked":
      case "run.resolved":
      case "signal.received":
      case "call.started":
      case "call.input.validated":
      case "call.output.validated":
      case "call.completed":
      case "call.errored":
      case "child.started":
      case "child.completed":
      case "action.claimed":
      case "action.resolved":
      case "cache.hit":
      case "approval.requested":
      case "approval.decided":
      case "approval.expired":
      case "question.asked":
      case "question.answered":
      case "note.added":
      case "note.expired":
      case "log":
        return;
      default:
        if (!isVendorEvent(event)) unreachable(event);
    }
  };
}
