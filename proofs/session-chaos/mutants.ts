/**
 * Clients that are wrong in one way each. They fold the same bytes as the true one; a check that
 * does not tell them apart is worth nothing.
 */
import type { SessionItem } from "@turnseal/client";
import {
  applyDelta,
  applyEnvelope,
  applyStatus,
  emptySession,
  type Frame,
  listItems,
  parseFrame,
  type SessionState,
} from "@turnseal/client/fold";

export type Reducer = (state: SessionState, frame: Frame, count: number) => SessionState;

const trueReducer: Reducer = (state, frame) => {
  if (frame.kind === "event") return applyEnvelope(state, frame.event);
  return frame.kind === "delta" ? applyDelta(state, frame.delta) : applyStatus(state, frame.status);
};

/** A stored event, as one folds it that trusts the network. */
function append(state: SessionState, frame: Extract<Frame, { kind: "event" }>): SessionState {
  const alone = applyEnvelope(emptySession(state.run), frame.event);
  const next = applyEnvelope(state, frame.event);
  return { ...next, items: [...state.items, ...alone.items] };
}

export const REDUCERS: Readonly<Record<string, Reducer>> = {
  true: trueReducer,
  // Every fifth event is not taken.
  drop: (state, frame, count) =>
    frame.kind === "event" && count % 5 === 4 ? state : trueReducer(state, frame, count),
  // Shows a repeated event again.
  double: (state, frame, count) => {
    if (frame.kind !== "event") return trueReducer(state, frame, count);
    const isKnown = state.events.some(({ id }) => id === frame.event.id);
    return isKnown ? append(state, frame) : trueReducer(state, frame, count);
  },
  // Shows a late event at the end.
  reorder: (state, frame, count) => {
    if (frame.kind !== "event") return trueReducer(state, frame, count);
    const isLate = state.events.some(({ sequence }) => sequence > frame.event.sequence);
    const isKnown = state.events.some(({ id }) => id === frame.event.id);
    return isLate && !isKnown ? append(state, frame) : trueReducer(state, frame, count);
  },
};

/** Pieces joined as they come, without a look at where they belong: caught by what it shows. */
export const CARELESS_DELTAS: Reducer = (state, frame, count) => {
  if (frame.kind !== "delta") return trueReducer(state, frame, count);
  const { delta } = frame;
  const known = state.partials.find(({ message }) => message === delta.message);
  if (known === undefined) return trueReducer(state, frame, count);
  const text = known.text + delta.text;
  const partials = state.partials.map((each) => (each === known ? { ...known, text } : each));
  return { ...state, partials };
};

/** What was on the lines of one tab, connection by connection. */
export type Recording = readonly string[];

/** What a client with this reducer shows after each frame, and in the end. */
export function* replay(
  run: string,
  recording: Recording,
  reducer: Reducer,
): Generator<readonly SessionItem[]> {
  let state = emptySession(run);
  let count = 0;
  for (const text of recording) {
    for (const frame of listFrames(text)) {
      state = reducer(state, frame, count);
      count += frame.kind === "event" ? 1 : 0;
      yield listItems(state);
    }
  }
}

/** Whole frames, as the server writes them. */
function listFrames(text: string): Frame[] {
  const whole = text.split("\n\n").slice(0, -1);
  return whole.flatMap((frame) => {
    const fields = frame.split("\n").map((line) => line.split(/: (.*)/));
    const fieldOf = (name: string) => fields.find(([field]) => field === name)?.[1];
    return parseFrame({ event: fieldOf("event"), data: fieldOf("data") ?? "" }) ?? [];
  });
}
