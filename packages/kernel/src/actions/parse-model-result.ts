/**
 * Reads what a model answered. A model is foreign code: an answer that cannot be kept, or is none,
 * is a failure and not a crash later on.
 */
import { FINISH_REASONS, type ModelResult } from "@turnseal/ports";
import { copyJson, type JsonObject, type JsonValue } from "@turnseal/protocol";
import { ANSWER_BYTES_MAX } from "../limits.ts";

/** A copy of the answer; throws where there is none. */
export function parseModelResult(result: unknown): ModelResult {
  const copied = copyJson(result, ANSWER_BYTES_MAX);
  if (copied.kind === "refused") throw new TypeError(`the model's answer ${copied.reason}`);
  if (!isResult(copied.value))
    throw new TypeError("the model's answer has no content, no usage or no end");
  return copied.value as unknown as ModelResult;
}

function isResult(answer: JsonValue): boolean {
  if (!isObject(answer)) return false;
  const { content, usage, finishReason, answeredBy = "" } = answer;
  const hasContent = Array.isArray(content) && content.every(isContent);
  const hasEnd = (FINISH_REASONS as readonly unknown[]).includes(finishReason);
  return hasContent && isUsage(usage) && hasEnd && typeof answeredBy === "string";
}

function isContent(part: JsonValue): boolean {
  if (!isObject(part)) return false;
  const { kind, providerData } = part;
  if (providerData !== undefined && !isObject(providerData)) return false;
  switch (kind) {
    case "text":
    case "reasoning":
      return typeof part["text"] === "string";
    case "tool-call":
      return toolCallTexts.every((name) => typeof part[name] === "string");
    case "source":
      return (
        typeof part["id"] === "string" &&
        sourceTexts.every((name) => part[name] === undefined || typeof part[name] === "string")
      );
    default:
      return false;
  }
}

const sourceTexts = ["url", "title", "mediaType", "filename"] as const;

const toolCallTexts = ["toolCallId", "toolName", "input"] as const;

const usageCounts = [
  "inputTokens",
  "outputTokens",
  "cacheReadTokens",
  "cacheWriteTokens",
  "reasoningTokens",
] as const;

function isUsage(usage: JsonValue | undefined): boolean {
  return isObject(usage) && usageCounts.every((name) => isCount(usage[name]));
}

function isCount(count: JsonValue | undefined): boolean {
  return count === undefined || (Number.isSafeInteger(count) && Number(count) >= 0);
}

// Of a value that was copied: every object in it is plain.
function isObject(value: JsonValue | undefined): value is JsonObject {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}
