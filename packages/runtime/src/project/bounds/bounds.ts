/** Upper bounds of a call or turn, and how to combine them. */
export interface Counts {
  /** Calls of loops, the loop itself among them. */
  readonly calls: number;
  readonly modelCalls: number;
  readonly toolCalls: number;
  /** Null if only a budget bounds them: what tools answer goes into the next request. */
  readonly inputTokens: number | null;
  readonly outputTokens: number;
  /** Null if a price is missing, or where only a budget bounds the input. */
  readonly moneyMicros: number | null;
  /** How often it waits for a signal, an answer or a time. */
  readonly waits: number;
  /** Events that there are at least when all of it happens. */
  readonly events: number;
}

/** The upper bounds of a part of a turn. */
export interface Bounds extends Counts {
  /** The bounds of the runs that it starts: they have turns, and traces, of their own. */
  readonly runs: Counts;
}

const NO_COUNTS: Counts = {
  calls: 0,
  modelCalls: 0,
  toolCalls: 0,
  inputTokens: 0,
  outputTokens: 0,
  moneyMicros: 0,
  waits: 0,
  events: 0,
};

export const NOTHING: Bounds = { ...NO_COUNTS, runs: NO_COUNTS };

/** One and the other. */
export function addBounds(a: Bounds, b: Bounds): Bounds {
  return combine(a, b, plus);
}

export function addCounts(a: Counts, b: Counts): Counts {
  return combineCounts(a, b, plus);
}

/** One or the other. */
export function eitherBounds(a: Bounds, b: Bounds): Bounds {
  return combine(a, b, Math.max);
}

/** The same so many times. */
export function timesBounds(bounds: Bounds, times: number): Bounds {
  return combine(bounds, bounds, (amount) => hold(amount * times));
}

export function timesCounts(counts: Counts, times: number): Counts {
  return combineCounts(counts, counts, (amount) => hold(amount * times));
}

/** The largest amount: a number above it would not be exact. */
export const AMOUNT_MAX = Number.MAX_SAFE_INTEGER;

/** The bounds of a loop that is unknown, or that starts itself again: they cannot be counted. */
export const UNCOUNTED: Counts = {
  calls: AMOUNT_MAX,
  modelCalls: AMOUNT_MAX,
  toolCalls: AMOUNT_MAX,
  inputTokens: null,
  outputTokens: AMOUNT_MAX,
  moneyMicros: null,
  waits: AMOUNT_MAX,
  events: 0,
};

function hold(amount: number): number {
  return Math.min(amount, AMOUNT_MAX);
}

type Together = (one: number, other: number) => number;

const plus: Together = (one, other) => hold(one + other);

function combine(left: Bounds, right: Bounds, together: Together): Bounds {
  return {
    ...combineCounts(left, right, together),
    runs: combineCounts(left.runs, right.runs, together),
  };
}

function combineCounts(left: Counts, right: Counts, together: Together): Counts {
  const known = (one: number | null, other: number | null): number | null =>
    one === null || other === null ? null : together(one, other);
  return {
    calls: together(left.calls, right.calls),
    modelCalls: together(left.modelCalls, right.modelCalls),
    toolCalls: together(left.toolCalls, right.toolCalls),
    inputTokens: known(left.inputTokens, right.inputTokens),
    outputTokens: together(left.outputTokens, right.outputTokens),
    moneyMicros: known(left.moneyMicros, right.moneyMicros),
    waits: together(left.waits, right.waits),
    events: together(left.events, right.events),
  };
}
