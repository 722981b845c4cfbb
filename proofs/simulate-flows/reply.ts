/**
 * The replies of tools, models and people: equal requests get equal replies, at any time, and other
 * requests get others. So two executions of one flow can be compared.
 */
import { canonicalize, type JsonObject, type JsonValue, uuidFrom } from "@turnseal/protocol";

/** A number of 32 bits that follows from some texts. */
export function numberFrom(...texts: readonly string[]): number {
  return Number.parseInt(uuidFrom(texts.join("\n")).slice(0, 8), 16);
}

/** What anything answers: a number, and a short list of numbers. */
export function replyTo(who: string, value: JsonValue): JsonObject {
  const number = numberFrom(who, canonicalize(withoutWords(value)));
  const length = (number >>> 8) % 4;
  const list = Array.from({ length }, (_, index) => (number >>> (index + 3)) % 50);
  return { value: number % 100, list };
}

/** The message names the first failure, which may be another each time. */
function withoutWords(value: JsonValue): JsonValue {
  if (Array.isArray(value)) return value.map(withoutWords);
  if (typeof value !== "object" || value === null) return value;
  const left = Object.entries(value).filter(([name]) => name !== "message");
  return Object.fromEntries(left.map(([name, each]) => [name, withoutWords(each)]));
}

export type Luck = "fine" | "fails" | "unavailable";

/** Whether something succeeds, of so many in a hundred that do not. */
export function luckOf(key: string, unluck: number): Luck {
  const number = numberFrom("luck", key) % 100;
  if (number < unluck) return "fails";
  return number < unluck * 1.3 ? "unavailable" : "fine";
}

/** The same, for the comparison of two results. */
export const comparable = withoutWords;
