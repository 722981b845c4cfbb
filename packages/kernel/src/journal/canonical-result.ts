import { canonicalize, type JsonValue } from "@turnseal/protocol";

/**
 * Returns a tool's result as the log stores it. A resume reads it from there, and must render the
 * same prompt, even in the order of fields.
 */
export function canonicalResult(result: JsonValue): JsonValue {
  if (typeof result !== "object" || result === null) return result;
  return JSON.parse(canonicalize(result)) as JsonValue;
}
