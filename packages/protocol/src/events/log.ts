/** A line that a tool wrote while it ran. */
import type { BlobRef } from "../log/blob-ref.ts";
import { type FieldsOf, isOneOf } from "../shape.ts";
import { isRef } from "./fields.ts";

export const LOG_LEVELS = ["debug", "info", "warn", "error"] as const;
export type LogLevel = (typeof LOG_LEVELS)[number];

export type LogLine = { readonly level: LogLevel; readonly message: BlobRef };

export const logLine: FieldsOf<LogLine> = {
  always: { level: isOneOf(LOG_LEVELS), message: isRef },
  sometimes: {},
};
