/**
 * From what a model answered to the output of its loop. The answer is data: whatever it says, it
 * only becomes a value.
 */
import type { ModelContent, ModelResult } from "@turnseal/ports";
import type { JsonValue } from "@turnseal/protocol";
import { OUTPUT_BYTES_MAX } from "../limits.ts";
import { fail, type Outcome, succeed } from "../outcome.ts";

const unfinished: ReadonlyMap<ModelResult["finishReason"], string> = new Map([
  ["length", "stopped at its length limit"],
  ["content-filter", "withheld its answer"],
  ["error", "broke off its answer"],
]);

/** Reads the output from an answer: JSON where it is written as JSON, `{ text }` otherwise. */
export function readAnswer(
  result: Pick<ModelResult, "content" | "finishReason">,
  backend: string,
): Outcome<JsonValue> {
  const fault = unfinished.get(result.finishReason);
  if (fault !== undefined) return fail("BACKEND_FAILED", `${backend} ${fault}`);
  if (result.content.some(({ kind }) => kind === "tool-call")) {
    return fail("BACKEND_FAILED", `${backend} asked for a tool where none was offered`);
  }
  const text = joinText(result.content);
  if (text.length > OUTPUT_BYTES_MAX) {
    return fail("OUTPUT_VALIDATION_FAILED", `the answer is larger than ${OUTPUT_BYTES_MAX} bytes`);
  }
  return succeed(parseText(text));
}

function joinText(content: readonly ModelContent[]): string {
  let text = "";
  for (const part of content) if (part.kind === "text") text += part.text;
  return text.toWellFormed();
}

function parseText(text: string): JsonValue {
  const trimmed = text.trim();
  if (!trimmed.startsWith("{") && !trimmed.startsWith("[")) return { text };
  try {
    return JSON.parse(trimmed) as JsonValue;
  } catch {
    return { text };
  }
}
