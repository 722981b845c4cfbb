import { parseJsonText } from "@turnseal/documents";
import { type Goal, type JsonValue, parsePath } from "@turnseal/protocol";

export type ParsedGoal =
  | { readonly kind: "goal"; readonly goal: Goal }
  | { readonly kind: "unusable"; readonly message: string };

const form = /^(?<path>[^=<>]+?)(?<operator>>=|=)(?<value>.*)$/s;

/** Reads a condition on the output: `output.done=true`, or `output.score>=0.8`. */
export function parseGoal(text: string): ParsedGoal {
  const { path: written = "", operator = "", value = "" } = form.exec(text)?.groups ?? {};
  if (operator === "") return unusable("--goal is written path=value or path>=number");
  const path = written.startsWith("$") ? written : `$.${written}`;
  const parsed = parsePath(path);
  if (parsed.kind === "refused") return unusable(`--goal ${written}: ${parsed.reason}`);
  if (!/^\$\.output(?![A-Za-z0-9_])/.test(path))
    return unusable(`--goal ${written}: a goal is about the output; write output.${written}`);
  if (operator === "=") return { kind: "goal", goal: { path, equals: readValue(value) } };
  const atLeast = value === "" ? Number.NaN : Number(value);
  if (!Number.isFinite(atLeast)) return unusable(`--goal ${text}: ${value} is not a number`);
  return { kind: "goal", goal: { path, atLeast } };
}

/** JSON if it is JSON, or else the text itself: a word needs no second quotes. */
function readValue(text: string): JsonValue {
  const parsed = parseJsonText(text);
  return parsed.kind === "parsed" ? (parsed.value as JsonValue) : text;
}

function unusable(message: string): ParsedGoal {
  return { kind: "unusable", message };
}
