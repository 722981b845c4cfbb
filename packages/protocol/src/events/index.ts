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
  ToolClaim,
  VendorEvent,
} from "./call-event.ts";
export { LOG_LEVELS } from "./call-event.ts";
export {
  EVENT_TYPES,
  type EventType,
  isVendorEventType,
  VENDOR_TYPE_LENGTH_MAX,
  type VendorEventType,
} from "./event-types.ts";
export { toTrace } from "./to-trace.ts";
export { TRACE_EVENT_TYPES, type TraceEvent } from "./trace-event.ts";
