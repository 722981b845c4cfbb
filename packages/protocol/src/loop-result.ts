import type { CallError } from "./call-error.ts";
import type { TraceEvent } from "./trace/trace-event.ts";

interface ResultFrame {
  readonly callId: string;
  readonly loopId: string;
  /** Absent when the loop was not found. */
  readonly loopVersion?: string;
  readonly startedAt: string;
  readonly endedAt: string;
  readonly durationMs: number;
  /** Every event of the call and of the calls below it, in order. */
  readonly trace: readonly TraceEvent[];
}

/** The outcome of a call. */
export type LoopResult<Output = unknown> =
  | (ResultFrame & { readonly status: "ok"; readonly output: Output })
  | (ResultFrame & { readonly status: "error"; readonly error: ReportedError });

/**
 * The recorded error, with what a caller may see and a log may not: the words of the tool or the
 * provider.
 */
export interface ReportedError extends CallError {
  readonly reason?: string;
}
