import type { RunStatus, SessionState } from "./session-state.ts";

/** Applies the server's status of the run; an older status changes nothing. */
export function applyStatus(state: SessionState, status: RunStatus): SessionState {
  const isOld =
    status.sequence !== undefined &&
    state.status?.sequence !== undefined &&
    status.sequence < state.status.sequence;
  if (isOld) return state;
  // A waiting run writes nothing: unfinished messages that are not stored were given up.
  return { ...state, status, partials: status.status === "running" ? state.partials : [] };
}
