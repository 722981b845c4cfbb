import { canonicalize, type JsonValue } from "@turnseal/protocol";

/**
 * What a tool gave is used as the log has it: whoever resumes the turn reads it there, and has to
 * write the same prompt of it, to the order of its fields.
 */
export function asKept(result: JsonValue): JsonValue {
  if (typeof result !== "object" || result === null) return result;
  return JSON.parse(canonicalize(result)) as JsonValue;
}
