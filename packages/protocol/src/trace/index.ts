export { TOOL_ASK_ERRORS, type ToolAskError } from "../events/action-end.ts";
export type { CallStatus } from "../events/call.ts";
export {
  isVendorEventType,
  LOG_EVENT_TYPES,
  type LogEventType,
  VENDOR_TYPE_LENGTH_MAX,
  type VendorEventType,
} from "../events/event-types.ts";
export { LOG_LEVELS, type LogLevel } from "../events/log.ts";
export type {
  ActionClaim,
  ActionClaimed,
  ActionSettled,
  ActionSettlement,
  CallCompleted,
  CallErrored,
  CallEvent,
  CallStarted,
  ChildCompleted,
  ChildStarted,
  CoreCallEvent,
  InputValidated,
  LogWritten,
  ModelClaim,
  OutputValidated,
  ToolClaim,
  VendorEvent,
} from "./call-event.ts";
export { pickCallEvents, type ReadAttached } from "./pick-call-events.ts";
export { createTracer, toTrace } from "./to-trace.ts";
export { TRACE_EVENT_TYPES, type TraceEvent } from "./trace-event.ts";
