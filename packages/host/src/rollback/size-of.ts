import { canonicalize, type JsonValue } from "@turnseal/protocol";

/** Bytes of a value as it is told. */
export function sizeOf(value: JsonValue): number {
  return new TextEncoder().encode(canonicalize(value)).length;
}
