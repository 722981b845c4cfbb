export {
  isVendorEventType,
  LOG_EVENT_TYPES,
  type LogEventType,
  VENDOR_TYPE_LENGTH_MAX,
  type VendorEventType,
} from "../events/event-types.ts";
export type {
  ActionClaim,
  ActionClaimed,
  ActionSettled,
  ActionSettlement,
  CallCompleted,
  CallErrored,
  CallEvent,
  CallStarted,
  CallStatus,
  ChildCompleted,
  ChildStarted,
  CoreCallEvent,
  InputValidated,
  LogLevel,
  LogWritten,
  ModelClaim,
  OutputValidated,
  ToolAskError,
  ToolClaim,
  VendorEvent,
} from "./call-event.ts";
export { LOG_LEVELS, TOOL_ASK_ERRORS } from "./call-event.ts";
export { pickCallEvents, type ReadAttached } from "./pick-call-events.ts";
export { createTracer, toTrace } from "./to-trace.ts";
export { TRACE_EVENT_TYPES, type TraceEvent } from "./trace-event.ts";
