import { isEnded } from "./apply-envelope.ts";
import {
  type Delta,
  PARTIAL_LENGTH_MAX,
  PARTIALS_MAX,
  type PartialMessage,
  type SessionState,
} from "./session-state.ts";

/**
 * A piece of a message that is being written.
 *
 * Only a continuation of the known text is taken: of a piece that overlaps, the new end; of one
 * that leaves a gap, none of it. A new connection starts with the text from its beginning, so a gap
 * lasts until then, or until the message is stored. A newer attempt voids the pieces of older ones.
 */
export function applyDelta(state: SessionState, delta: Delta): SessionState {
  if (delta.epoch < state.epoch) return state;
  if (delta.text === "") return takeBack(state, delta);
  const current = state.partials.filter(({ epoch }) => epoch >= delta.epoch);
  const at = current.findIndex(({ message }) => message === delta.message);
  const known = current[at];
  const voided = { ...state, epoch: delta.epoch, partials: current };
  if (known === undefined) {
    const isNew =
      delta.offset === 0 &&
      current.length < PARTIALS_MAX &&
      !state.events.some((event) => isEnded(delta, event));
    if (isNew) return { ...voided, partials: [...current, beginMessage(delta)] };
    return delta.epoch > state.epoch ? voided : state;
  }
  const isFitting = delta.offset <= known.text.length && delta.kind === known.kind;
  const added = isFitting ? delta.text.slice(known.text.length - delta.offset) : "";
  const text = (known.text + added).slice(0, PARTIAL_LENGTH_MAX);
  if (text.length === known.text.length) return state;
  return { ...voided, partials: current.with(at, { ...known, text }) };
}

/** A piece at the beginning that says nothing: the attempt failed, and will not be stored. */
function takeBack(state: SessionState, { message, offset }: Delta): SessionState {
  const partials = state.partials.filter((known) => offset > 0 || known.message !== message);
  return partials.length === state.partials.length ? state : { ...state, partials };
}

function beginMessage({ offset: _, text, ...message }: Delta): PartialMessage {
  return { ...message, text: text.slice(0, PARTIAL_LENGTH_MAX) };
}
