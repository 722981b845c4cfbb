import { canonicalize, isPlainObject, type JsonValue } from "@turnseal/protocol";

/** The fields with a message's words, in the order of preference. */
const textFields = ["text", "message", "prompt"] as const;

/** Renders a message as text: its words if it has any, else the value. */
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
