import type { RunStatus, SessionState } from "./session-state.ts";

/** What the server says about the run; what it said of an earlier moment changes nothing. */
export function applyStatus(state: SessionState, status: RunStatus): SessionState {
  const isOld =
    status.sequence !== undefined &&
    state.status?.sequence !== undefined &&
    status.sequence < state.status.sequence;
  if (isOld) return state;
  // Nobody writes while a run waits: what was begun and is not stored was given up.
  return { ...state, status, partials: status.status === "running" ? state.partials : [] };
}
