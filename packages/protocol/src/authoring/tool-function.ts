import type { JsonObject } from "../canonical-json.ts";
import type { LogLevel } from "../events/call-event.ts";

/** What a tool may know of the call it serves, and say to its trace. */
export interface ToolContext {
  readonly callId: string;
  /** Aborted at the deadline and when the call is cancelled. */
  readonly signal: AbortSignal;
  /** ISO 8601: the moment from which nobody waits for this tool. */
  readonly deadlineAt: string;
  /** `tool.config` of the document. */
  readonly config: JsonObject;
  /** Writes a line to the trace. After the tool has returned it does nothing. */
  log(level: LogLevel, message: string): void;
  /**
   * Adds an event in a namespace of the tool's own, such as `acme.cache.hit`. Throws for a type
   * that is not its to use.
   */
  emit(type: string, payload?: JsonObject): void;
}

/** The function behind a tool loop. */
export type ToolFunction<Input, Output> = (
  input: Input,
  context: ToolContext,
) => Output | Promise<Output>;
