/** An event in LSEM's vocabulary (LSEM section 6). */
export interface TraceEvent {
  readonly callId: string;
  readonly ts: string;
  readonly type: string;
  readonly payload?: Readonly<Record<string, unknown>>;
}

/** The twelve types that LSEM defines. */
export const TRACE_EVENT_TYPES = [
  "call.started",
  "call.input.validated",
  "call.backend.requested",
  "call.backend.responded",
  "call.tool.invoked",
  "call.tool.returned",
  "child.started",
  "child.completed",
  "call.output.validated",
  "call.completed",
  "call.errored",
  "log",
] as const;
