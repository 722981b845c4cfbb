import { canonicalize, type JsonValue } from "@turnseal/protocol";

/** The size of a value as JSON, in bytes. */
export function sizeOf(value: JsonValue): number {
  return new TextEncoder().encode(canonicalize(value)).length;
}
