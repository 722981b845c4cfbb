/** The findings of one case of the fuzzer, and its draft while the case runs. */
import { startStopwatch } from "./stopwatch.ts";

export interface CaseReport {
  /** Which public entry it was put through. */
  readonly entry: string;
  /** The way in which the case was broken. */
  readonly kind: string;
  /** The longest time that one step took. */
  readonly slowestMs: number;
  /** True when what was tried got through. */
  readonly isAccepted: boolean;
  /** What came out, one word each: `registered`, `refused json`, `call ok`, `CHAIN_GAP`. */
  readonly outcomes: readonly string[];
  readonly problems: readonly string[];
  /** What was tried, to be shown when the case fails. */
  readonly subjects: readonly unknown[];
}

/** A report in the making. */
export interface Draft {
  entry: string;
  kind: string;
  slowestMs: number;
  isAccepted: boolean;
  readonly outcomes: string[];
  readonly problems: string[];
  readonly subjects: unknown[];
}

export function createDraft(entry: string): Draft {
  return {
    entry,
    kind: entry,
    slowestMs: 0,
    isAccepted: false,
    outcomes: [],
    problems: [],
    subjects: [],
  };
}

/** Runs one step and keeps its time if it is the longest. */
export function timeStep<Value>(draft: Draft, act: () => Value): Value {
  const readMs = startStopwatch();
  const value = act();
  draft.slowestMs = Math.max(draft.slowestMs, readMs());
  return value;
}

export async function timeAsync<Value>(draft: Draft, act: () => Promise<Value>): Promise<Value> {
  const readMs = startStopwatch();
  const value = await act();
  draft.slowestMs = Math.max(draft.slowestMs, readMs());
  return value;
}
