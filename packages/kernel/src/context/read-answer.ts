/**
 * From what a model answered to the output of its loop. The answer is data: whatever it says, it
 * only becomes a value.
 */
import { FINISH_REASONS, type ModelContent, type ModelResult } from "@turnseal/ports";
import { isPlainObject, type JsonValue } from "@turnseal/protocol";
import { OUTPUT_BYTES_MAX } from "../limits.ts";
import { fail, type Outcome, succeed } from "../outcome.ts";

export interface ReadAnswer {
  readonly inputTokens: number;
  readonly outputTokens: number;
  readonly output: Outcome<JsonValue>;
}

/** Reads an answer; throws when it does not have the shape of one. */
export function readAnswer(result: ModelResult, backend: string): ReadAnswer {
  const { content, finishReason, usage } = (isPlainObject(result) ? result : {}) as ModelResult;
  const { inputTokens, outputTokens } = usage ?? {};
  const isAnswer =
    FINISH_REASONS.includes(finishReason) &&
    Array.isArray(content) &&
    content.every(isContent) &&
    isCount(inputTokens) &&
    isCount(outputTokens);
  if (!isAnswer) throw new TypeError("the model did not answer as a model does");
  return { inputTokens, outputTokens, output: readOutput(content, finishReason, backend) };
}

function isContent(part: unknown): boolean {
  if (!isPlainObject(part)) return false;
  return part["kind"] === "tool-call" || typeof part["text"] === "string";
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && Number(value) >= 0;
}

const unfinished: ReadonlyMap<ModelResult["finishReason"], string> = new Map([
  ["length", "stopped at its length limit"],
  ["content-filter", "withheld its answer"],
  ["error", "broke off its answer"],
]);

/** JSON where the answer is written as JSON, `{ text }` otherwise. */
function readOutput(
  content: readonly ModelContent[],
  finishReason: ModelResult["finishReason"],
  backend: string,
): Outcome<JsonValue> {
  const fault = unfinished.get(finishReason);
  if (fault !== undefined) return fail("BACKEND_FAILED", `${backend} ${fault}`);
  if (content.some(({ kind }) => kind === "tool-call")) {
    return fail("BACKEND_FAILED", `${backend} asked for a tool where none was offered`);
  }
  const text = joinText(content);
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
