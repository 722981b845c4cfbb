export {
  applyNote,
  type Note,
  type NoteEvent,
  type NotesByScope,
  readScope,
  type ScopeNotes,
} from "./notes/scope-notes.ts";
export { applyEvent, emptyProjection } from "./projection/apply-event.ts";
export { isAwaited, NO_AWAITED, type SignalEvent } from "./projection/awaited-signals.ts";
export { FAMILY_DEPTH_MAX } from "./projection/family-depth.ts";
export { findQuarantined, type Quarantined } from "./projection/find-quarantined.ts";
export { listHandoffs } from "./projection/list-handoffs.ts";
export { hasRoom, heardOf } from "./projection/open-waits.ts";
export { OUTAGE_PAUSE_MS, OUTAGE_PAUSE_MS_MAX, waitsForProvider } from "./projection/outage.ts";
export type { Outage, Parked } from "./projection/provider-state.ts";
export {
  type ClosedTurn,
  FOLD,
  type OpenClaim,
  type OpenHandoff,
  type OpenRequest,
  type OpenTurn,
  RETRY_LATER_MS_MAX,
  type RunProjection,
  UNKNOWN_ENDS_MAX,
  type UnknownClaim,
  type UnknownEnd,
} from "./projection/run-projection.ts";
export { listStanding, STANDING_MAX } from "./projection/standing-approvals.ts";
export type { StandingApproval } from "./projection/standing-state.ts";
export type { StopDecision } from "./projection/stop-decision.ts";
export { listUnknown } from "./projection/unknown-ends.ts";
export {
  type OpenWait,
  SIGNALS_KEPT_BYTES_MAX,
  SIGNALS_KEPT_MAX,
} from "./projection/wait-state.ts";
export { createThreadFold } from "./thread/fold-thread.ts";
export { countForeign, makerOf, toSent, withoutName } from "./thread/foreign-answers.ts";
export { LEFT_OUT } from "./thread/left-out.ts";
export { placeBelow, ROOT_PLACE } from "./thread/place.ts";
export { readMessage } from "./thread/read-message.ts";
export type { ThreadMarks } from "./thread/thread-mark.ts";
