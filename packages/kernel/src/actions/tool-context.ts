/**
 * A tool's view of its call. It can emit events only while it runs, and only under names of its
 * own.
 */
import { type JsonObject, LoopError } from "@turnseal/protocol";
import type { ToolContext } from "@turnseal/protocol/authoring";
import { isVendorEventType, LOG_LEVELS, type LogLevel } from "@turnseal/protocol/trace";
import { LOG_LENGTH_MAX, PAYLOAD_BYTES_MAX } from "../limits.ts";
import type { Frame } from "../resume/frame.ts";
import { copyRedacted, type Redactor } from "./redact.ts";

export const EVENT_ERROR_CODES = ["EVENT_REFUSED", "EVENT_TRACE_FULL"] as const;
export type EventErrorCode = (typeof EVENT_ERROR_CODES)[number];

/** An event that a tool may not add to the trace. */
export class EventError extends LoopError<EventErrorCode> {
  constructor(code: EventErrorCode, message: string) {
    super({ code, retry: "never", message });
  }
}

interface OpenContext {
  readonly context: ToolContext;
  /** From here on the tool is not heard. */
  readonly close: () => void;
}

export function openToolContext(
  frame: Frame,
  given: Omit<ToolContext, "callId" | "log" | "emit">,
  redactor: Redactor,
): OpenContext {
  let isOpen = true;
  const context: ToolContext = {
    ...given,
    callId: frame.call,
    log: (level, message) => {
      if (!isOpen || given.signal.aborted) return;
      refuseWhenFull(frame);
      const text = readMessage(level, message, redactor);
      frame.record({ type: "log", content: { level }, attached: { message: text } });
    },
    emit: (type, payload = {}) => {
      if (!isOpen || given.signal.aborted) return;
      refuseWhenFull(frame);
      const isOwn = typeof type === "string" && isVendorEventType(type);
      if (!isOwn || redactor.text(type) !== type) {
        throw new EventError("EVENT_REFUSED", "the type is not in a namespace of the tool's own");
      }
      frame.record({ type, content: {}, attached: readPayload(payload, redactor) });
    },
  };
  return {
    context,
    close: () => {
      isOpen = false;
    },
  };
}

function refuseWhenFull(frame: Frame): void {
  if (frame.isTraceFull())
    throw new EventError("EVENT_TRACE_FULL", "the trace of this call is full");
}

function readMessage(level: LogLevel, message: string, { text }: Redactor): string {
  if (!LOG_LEVELS.includes(level) || typeof message !== "string") {
    throw new EventError(
      "EVENT_REFUSED",
      `a log line has a level of ${LOG_LEVELS.join(", ")} and a text`,
    );
  }
  // A secret can be longer than its replacement.
  const told = text(message.slice(0, LOG_LENGTH_MAX * 8).toWellFormed());
  return told.slice(0, LOG_LENGTH_MAX).toWellFormed();
}

function readPayload(payload: JsonObject, redactor: Redactor): JsonObject {
  const copied = copyRedacted(payload, PAYLOAD_BYTES_MAX, redactor);
  const isObject =
    copied.kind === "copied" && typeof copied.value === "object" && !Array.isArray(copied.value);
  if (!isObject || copied.value === null) {
    throw new EventError(
      "EVENT_REFUSED",
      `the payload is not an object of at most ${PAYLOAD_BYTES_MAX} bytes`,
    );
  }
  return copied.value as JsonObject;
}
