/** Renders feedback for a working model. */
import { isPlainObject, type JsonValue, type ModelMessage } from "@turnseal/protocol";

export function renderFeedback(payload: JsonValue): ModelMessage {
  return { role: "user", text: wordsOf(payload), origin: "signal" };
}

/** A message of a person is its text; anything else is shown as JSON. */
function wordsOf(payload: JsonValue): string {
  if (typeof payload === "string") return payload;
  const text = isPlainObject(payload) ? payload["text"] : undefined;
  return typeof text === "string" ? text : JSON.stringify(payload);
}
