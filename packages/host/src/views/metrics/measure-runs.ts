/**
 * What can be counted of runs, as a fold of their events. Every word is of a closed set: nothing
 * that an author or a model can choose is counted by.
 */
import type { LoopEvent } from "@turnseal/protocol";

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
  const takeTurn = ({ type, run, turn, at, content }: LoopEvent): void => {
    const key = `${run}/${turn}`;
    if (type === "turn.started") {
      if (begun.size < OPEN_TURNS_MAX) begun.set(key, Date.parse(at));
      return;
    }
    const sinceMs = begun.get(key);
    begun.delete(key);
    if (type !== "turn.closed") return;
    const seconds = sinceMs === undefined ? undefined : (Date.parse(at) - sinceMs) / 1_000;
    meter.onTurn(String(content["outcome"]), seconds);
  };
  return (event) => {
    const { type, content } = event;
    if (type.startsWith("turn.")) takeTurn(event);
    if (type === "run.stopped") meter.onStop(String(content["reason"]));
    if (type === "action.unknown") meter.onUnknown(String(content["action"]));
    if (type !== "action.settled") return;
    const seconds = Number(content["durationMs"]) / 1_000;
    meter.onAction(String(content["action"]), String(content["status"]), seconds);
  };
}
