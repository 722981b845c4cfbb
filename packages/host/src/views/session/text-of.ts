import { canonicalize, isPlainObject, type JsonValue } from "@turnseal/protocol";

/** The fields that hold what somebody said, the first that is there. */
const textFields = ["text", "message", "prompt"] as const;

/** What somebody said, as a text to show: their words where there are any, else the value. */
export function textOf(value: JsonValue): string {
  if (typeof value === "string") return value;
  if (isPlainObject(value)) {
    for (const field of textFields) {
      const text = Object.hasOwn(value, field) ? value[field] : undefined;
      if (typeof text === "string") return text;
    }
  }
  return canonicalize(value);
}
